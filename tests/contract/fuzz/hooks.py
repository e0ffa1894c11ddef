"""What schemathesis cannot know from the document: who plays here, and in which games.

`PIPPOST_FUZZ_WORLD` names a JSON file that tests/contract/fuzzing.rs writes.
"""

import itertools
import json
import os
import re
import uuid
import zlib

import requests
import schemathesis

with open(os.environ["PIPPOST_FUZZ_WORLD"], encoding="utf-8") as file:
    WORLD = json.load(file)

API = WORLD["url"] + "/api/v1"

# Operations that end sessions or change passwords get an account of their own, so that the others keep theirs.
ENDING = {"/api/v1/sessions/current", "/api/v1/me/password", "/api/v1/me/deletion", "/api/v1/me"}

# Operations whose answer names what they have created, and that take an `Idempotency-Key`.
CREATING = {"/api/v1/me/tokens", "/api/v1/me/apps", "/api/v1/clubs"}
numbers = itertools.count()
http = requests.Session()


def registered() -> str:
    handle = f"passer-by-{os.getpid()}-{next(numbers)}"
    body = {"handle": handle, "email": f"{handle}@example.org", "password": WORLD["password"]}
    answer = http.post(f"{API}/accounts", json=body)
    answer.raise_for_status()
    return answer.json()["access_token"]


def logged_in() -> str:
    body = {"login": WORLD["handle"], "password": WORLD["password"]}
    answer = http.post(f"{API}/sessions", json=body)
    answer.raise_for_status()
    return answer.json()["access_token"]


class Session:
    """The player's token. In a sandbox it is a new one whenever the clock was moved, because tokens expire by that clock."""

    ahead = None
    token = WORLD["token"]

    @classmethod
    def current(cls) -> str:
        if WORLD["sandbox"]:
            ahead = http.get(f"{API}/sandbox/clock").json()["ahead_seconds"]
            if ahead != cls.ahead:
                cls.token = logged_in()
                cls.ahead = ahead
        return cls.token


@schemathesis.auth(refresh_interval=None)
class Token:
    def get(self, case, context):
        path = context.operation.path
        if path == "/metrics":
            return {"Authorization": f"Bearer {WORLD['metrics_token']}"}
        if path == "/api/v1/inbound/mail":
            return {"X-Inbound-Secret": WORLD["inbound_secret"]}
        if path in ENDING and context.operation.method != "get":
            return {"Authorization": f"Bearer {registered()}"}
        return {"Authorization": f"Bearer {Session.current()}"}

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), **data}


# Media types of bodies that are texts, which schemathesis does not know.
TEXTS = ("application/x-ndjson", "message/rfc822")


@schemathesis.serializer(*TEXTS)
def as_text(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def is_id(value) -> bool:
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False


# A day.
MAX_STEP = 86_400


def is_long_way(body) -> bool:
    way = body.get("advance_seconds") if isinstance(body, dict) else None
    return isinstance(way, int) and way > MAX_STEP


def number_of(*values) -> int:
    """The same for the same values, so that a seed repeats a run."""
    return zlib.crc32(repr(values).encode())


def legal(game: str, number: int):
    """One of the legal actions in a game, as a body."""
    answer = http.get(f"{API}/games/{game}/actions", headers={"Authorization": f"Bearer {WORLD['token']}"})
    actions = [action for action in answer.json().get("actions", []) if "choose" not in action]
    return {"actions": [actions[number % len(actions)]]} if actions else None


TAGS = re.compile(r'(\*|"[!#-~]*"( ?, ?"[!#-~]*"){0,15})')


@schemathesis.hook
def filter_case(context, case):
    """Schemathesis 4.32 takes `If-Match: 0` for valid, although the pattern of that header in the document does not allow it.

    What is no text, as a body that is text, would be sent as one: nothing is wrong with it then.
    """
    if case.media_type in TEXTS and not isinstance(case.body, (str, bytes, schemathesis.core.NotSet)):
        return False
    given = (case.headers or {}).get("If-Match")
    is_positive = case.meta is not None and case.meta.generation.mode.is_positive
    return given is None or not is_positive or TAGS.fullmatch(str(given)) is not None


@schemathesis.hook
def map_case(context, case):
    """Most requests name games and players that exist, half of the moves are legal ones, and some receipts are genuine."""
    if case.meta is None:
        return case
    path, given = context.operation.path, case.path_parameters or {}
    number = number_of(path, given, case.query, case.body)
    if "/games/" in path and is_id(given.get("id")) and number % 8:
        games = WORLD["games"]
        case.path_parameters["id"] = games[number // 8 % len(games)]
    for kind in ("clubs", "studies"):
        if f"/api/v1/{kind}/{{id}}" in path and is_id(given.get("id")) and number % 8:
            case.path_parameters["id"] = WORLD[kind][number // 8 % len(WORLD[kind])]
    if "/sandbox/mails/{id}" in path and WORLD["mails"] and is_id(given.get("id")) and number % 8:
        case.path_parameters["id"] = WORLD["mails"][number // 8 % len(WORLD["mails"])]
    if path == "/api/v1/sandbox/clock" and is_long_way(case.body) and number % 8:
        # Ten years in all are few for a fuzzer that goes years at once.
        case.body["advance_seconds"] %= MAX_STEP
    if path in ("/api/v1/players/{handle}", "/api/v1/clubs/{id}/members/{handle}") and number % 2:
        case.path_parameters["handle"] = WORLD["handle"]
    if context.operation.method == "post" and path in CREATING and "Idempotency-Key" in (case.headers or {}):
        # A key that comes again gets the answer of the first request, also for what was removed since: nothing new that cannot be
        # found, as the tool would think.
        if case.meta.generation.mode.is_positive:
            case.headers["Idempotency-Key"] = f"{os.getpid()}-{next(numbers)}"
    if case.meta.generation.mode.is_positive and number % 2:
        body = None
        if path.endswith(("/moves", "/preview")) and is_id(given.get("id")):
            body = legal(case.path_parameters["id"], number)
        elif path == "/api/v1/receipts":
            body = {"receipt": WORLD["receipt"]}
        elif path == "/api/v1/verify":
            body = WORLD["record"]
        if body is not None:
            case.body = body
    return case
