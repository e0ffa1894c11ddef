"""Plays, follows, receives and verifies at a sandbox behind a network with faults, and prints what it has seen as JSON.

    python drill.py URL FOLDER_OF_RECORDS
"""

import json
import pathlib
import sys
import threading
from collections.abc import Callable

import jwt

from pippost import (
    Player,
    RecordRefused,
    Refused,
    Settings,
    WebhookRefused,
    any_action,
    challenge_of,
    receipt_contradicts,
    types,
    verify_receipt,
    verify_record,
    verify_webhook,
)

URL, RECORDS = sys.argv[1], pathlib.Path(sys.argv[2])
SETTINGS = Settings(first_wait=0.02, longest_wait=5)
CHANGES = 25
TOKEN_LIFETIME_SECONDS = 600


def must_raise(kind: type[Exception], task: Callable[[], object]) -> None:
    try:
        task()
    except kind:
        return
    raise AssertionError(f"it should have raised {kind.__name__}")


def confirmed(handle: str) -> Player:
    password = f"a long password of {handle}"
    player = Player.register(URL, handle, f"{handle}@example.org", password, settings=SETTINGS)
    [mail, *_] = player.request("GET", "/sandbox/mails").json()["mails"]
    token = next(link["token"] for link in mail["links"] if link.get("token"))
    player.request("POST", "/email/confirm", json={"token": token})
    return player


def play(game: types.GameView, players: tuple[Player, Player]) -> tuple[types.GameView, list[str]]:
    receipts: list[str] = []
    while game["to_act"] is not None:
        player = players[game["to_act"]]
        legal = player.actions(game["id"])
        moved = player.move(game["id"], [any_action(legal)], legal["seq"])
        game, receipts = moved["game"], receipts + moved["receipts"]
        if len(receipts) == 4:
            # All access tokens expire.
            player.request("POST", "/sandbox/clock", json={"advance_seconds": TOKEN_LIFETIME_SECONDS + 1})
    return game, receipts


def check_receipts(player: Player, game_id: str, receipts: list[str]) -> None:
    keys, record = player.keys(), verify_record(player.record(game_id))
    for receipt in receipts:
        assert not receipt_contradicts(verify_receipt(receipt, keys), record)
    true = verify_receipt(receipts[0], keys)
    assert receipt_contradicts(true._replace(hash="0" * 64), record)
    head, claims, signature = receipts[0].split(".")
    other = receipts[1].split(".")[1]
    must_raise(jwt.PyJWTError, lambda: verify_receipt(f"{head}.{other}.{signature}", keys))
    must_raise(jwt.PyJWTError, lambda: verify_receipt(receipts[0], {"keys": []}))
    token = player.request("POST", "/me/tokens", json={"name": "no receipt", "scopes": ["read"]}).json()["token"]
    must_raise(jwt.PyJWTError, lambda: verify_receipt(token, keys))
    assert claims != other


def webhook(player: Player) -> str:
    """The secret of a webhook that is active: its challenge was met."""
    hook = player.request("POST", "/me/webhooks", json={"url": "https://receiver.invalid/", "kinds": ["event"]}).json()
    player.request("POST", f"/me/webhooks/{hook['id']}/challenge", json={})
    [sent] = player.request("GET", "/sandbox/deliveries").json()["deliveries"]
    challenge = challenge_of(verify_webhook(hook["secret"], sent["headers"], sent["body"]))
    met = player.request("POST", f"/me/webhooks/{hook['id']}/verify", json={"challenge": challenge}).json()
    assert met["state"] == "active"
    return hook["secret"]


def check_webhooks(player: Player, secret: str) -> int:
    sent = player.request("GET", "/sandbox/deliveries", params={"limit": 100}).json()["deliveries"]
    for one in sent:
        message = verify_webhook(secret, one["headers"], one["body"])
        assert message == json.loads(one["body"])
    assert challenge_of(verify_webhook(secret, sent[0]["headers"], sent[0]["body"])) is None
    headers: dict[str, str] = sent[0]["headers"]
    body: str = sent[0]["body"]
    later = str(int(headers["webhook-timestamp"]) + 1)
    forgeries: list[tuple[str, dict[str, str], str]] = [
        (secret, headers, body + " "),
        ("whsec_bm90IHRoZSBzZWNyZXQ=", headers, body),
        (secret, headers | {"webhook-id": "another"}, body),
        (secret, headers | {"webhook-timestamp": later}, body),
        (secret, headers | {"webhook-timestamp": "0"}, body),
        (secret, headers | {"webhook-signature": "v1,AAAA"}, body),
        (secret, {}, body),
    ]
    for forgery in forgeries:
        must_raise(WebhookRefused, lambda: verify_webhook(*forgery))  # noqa: B023
    must_raise(WebhookRefused, lambda: verify_webhook(secret, headers, body, now=0))
    return len(sent)


def check_records() -> int:
    """Records of the protocol are taken, and none with a changed byte."""
    files = sorted(RECORDS.glob("*.ndjson"))
    for file in files:
        record = file.read_bytes()
        verified = verify_record(record)
        assert verified.proved == (b'"master"' in record.splitlines()[-1]), file
        for at in range(0, len(record), len(record) // CHANGES):
            changed = bytearray(record)
            changed[at] ^= 1
            must_raise(RecordRefused, lambda: verify_record(bytes(changed)))  # noqa: B023
        must_raise(RecordRefused, lambda: verify_record(record[:-1]))  # noqa: B023
        must_raise(RecordRefused, lambda: verify_record(record + record))  # noqa: B023
    for nothing in (b"", b"\n", b"[]\n", b"{}\n", b"[" * 100_000, b'{"a":1e400}\n', b'{"a":' * 100_000 + b"\n"):
        must_raise(RecordRefused, lambda: verify_record(nothing))  # noqa: B023
    return len(files)


def main() -> None:
    ann, bob = confirmed("py-ann"), confirmed("py-bob")
    secret = webhook(ann)
    game = bob.join(ann.create_game({"rules": "pip-pip", "seating": "joined"})["id"])
    followed: list[str] = []
    follower = threading.Thread(target=lambda: followed.extend(told.id for told in bob.follow(game["id"])))
    follower.start()
    game, receipts = play(game, (ann, bob))
    follower.join(timeout=60)
    check_receipts(ann, game["id"], receipts)
    must_raise(Refused, lambda: ann.move(game["id"], "store", 0))
    told = {"game": game["id"], "followed": followed, "webhooks": check_webhooks(ann, secret)}
    print(json.dumps(told | {"records": check_records()}))


main()
