"""Records, checked without the server: form, hash chain, and that all chance was fixed before anybody chose.

What this does not know are the rules: whether an action was legal, and which die a seed gives. `pippost verify`, the page
`/verifier` and the packages in TypeScript and Rust check these, too.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeGuard, cast
from uuid import UUID

from pippost._canonical import canonical, read_canonical
from pippost._errors import RecordRefused

# The longest record that is read, and the longest header or footer, in bytes.
MAX_RECORD_BYTES = 64 << 20
MAX_VALUE_BYTES = 64 << 10

HASH = re.compile(r"[0-9a-f]{64}")
BYTES = re.compile(r"([0-9a-f]{2})+")
UUID_7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
ENTROPY = re.compile(r"[ -~]{0,64}")

HEADER = {"record", "id", "rules", "rules_version", "options", "seating", "commitment", "players", "beacon"}
EVENT = {"seq", "at", "seat", "action", "effects", "to_act", "seeds", "next", "prev", "hash"}
FOOTER = {"master", "head", "result"}
FORMS = ("pippost/1", "pippost-sandbox/1")

Object = dict[str, Any]


@dataclass(frozen=True)
class Verified:
    """What a record says whose chain and chance are right."""

    game: str
    rules: str
    players: list[str]
    hashes: list[str]
    """The hashes of the events."""
    result: Object | None
    """How the game ended; None while it runs."""
    proved: bool
    """Whether the game is over and its footer proves every seed."""
    sandbox: bool
    """Whether a player chose the chance, as in a sandbox: then nothing is proved."""


def verify_record(record: bytes | str) -> Verified:
    """Checks a record. Raises `RecordRefused` with the first part that fails."""
    raw = record.encode() if isinstance(record, str) else record
    if len(raw) > MAX_RECORD_BYTES:
        raise RecordRefused("header", "the record is too long")
    header, events, footer = _read(raw)
    _check_chain(header, events)
    if footer is not None:
        _check_proof(header, events, footer)
    sandbox = header["record"] != FORMS[0]
    return Verified(
        game=header["id"],
        rules=header["rules"],
        players=[player["name"] for player in header["players"]],
        hashes=[event["hash"] for event in events],
        result=_finished(events[-1]),
        proved=footer is not None and not sandbox,
        sandbox=sandbox,
    )


def _must(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(why)


def _matches(value: object, form: re.Pattern[str]) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _has(value: object, members: set[str]) -> bool:
    return isinstance(value, dict) and set(cast(Object, value)) == members


def _is_typed(value: object) -> bool:
    return isinstance(value, dict) and isinstance(cast(Object, value).get("type"), str)


def _read(raw: bytes) -> tuple[Object, list[Object], Object | None]:
    """Check 1: header, events and footer by their form."""
    lines = raw.split(b"\n")
    header: Object = {}
    events: list[Object] = []
    footer: Object | None = None
    place = "header"
    try:
        _must(lines.pop() == b"", "the record does not end with a line feed")
        for index, line in enumerate(lines):
            if footer is not None:
                raise RecordRefused("footer", "nothing may follow the footer")
            place = f"event {len(events)}" if index else place
            value = read_canonical(line)
            if index == 0:
                _must(len(line) <= MAX_VALUE_BYTES, "the line is too long for a header")
                header = _header(value)
            elif "master" in value or "head" in value:
                place = "footer"
                _must(len(line) <= MAX_VALUE_BYTES, "the line is too long for a footer")
                footer = _footer(value)
            else:
                events.append(_event(value))
        place = "event 0" if header else place
        _must(bool(events), "the record has no event")
    except ValueError as why:
        raise RecordRefused(place, str(why)) from None
    return header, events, footer


def _header(header: Object) -> Object:
    _must(_has(header, HEADER), "the header does not have just the members of a header")
    _must(header["record"] in FORMS, "`record` is none of this protocol")
    _must(_matches(header["id"], UUID_7), "`id` is not a UUID of version 7")
    _must(isinstance(header["rules"], str) and _is_count(header["rules_version"]), "`rules` are not named")
    _must(isinstance(header["options"], dict), "`options` is not an object")
    _must(header["seating"] in ("random", "joined"), "`seating` is neither random nor joined")
    _must(_matches(header["commitment"], HASH), "`commitment` is not 32 bytes in hex")
    players: object = header["players"]
    _must(_is_list(players) and bool(players) and all(map(_is_player, players)), "`players` is not a list of names and entropy")
    _must(header["beacon"] is None or _is_beacon(header["beacon"]), "`beacon` is neither null nor a public value")
    return header


def _is_player(value: object) -> bool:
    if not _has(value, {"name", "entropy"}):
        return False
    player = cast(Object, value)
    return isinstance(player["name"], str) and player["name"] != "" and _matches(player["entropy"], ENTROPY)


def _is_beacon(value: object) -> bool:
    if not _has(value, {"source", "round", "randomness", "signature"}):
        return False
    beacon = cast(Object, value)
    named = isinstance(beacon["source"], str) and beacon["source"] != "" and _is_count(beacon["round"])
    return named and _matches(beacon["randomness"], BYTES) and _matches(beacon["signature"], BYTES)


def _event(event: Object) -> Object:
    _must(_has(event, EVENT), "the event does not have just the members of an event")
    _must(_is_count(event["seq"]), "`seq` is not 0 or more")
    _must(_matches(event["at"], TIME), "`at` is not a time in UTC with six decimals")
    datetime.fromisoformat(event["at"])
    for name in ("seat", "to_act"):
        _must(event[name] is None or _is_count(event[name]), f"`{name}` is neither a seat nor null")
    effects, seeds = event["effects"], event["seeds"]
    _must(_is_typed(event["action"]), "`action` is not an object with a type")
    _must(_is_list(effects) and all(map(_is_typed, effects)), "`effects` is not a list of objects with a type")
    _must(_is_list(seeds) and all(map(_is_seed, seeds)), "`seeds` is not a list of seeds")
    for name in ("next", "prev", "hash"):
        _must(_matches(event[name], HASH), f"`{name}` is not 32 bytes in hex")
    return event


def _is_seed(value: object) -> bool:
    if not _has(value, {"seq", "seed"}):
        return False
    seed = cast(Object, value)
    return _is_count(seed["seq"]) and _matches(seed["seed"], HASH)


def _footer(footer: Object) -> Object:
    _must(_has(footer, FOOTER), "the footer does not have just the members of a footer")
    _must(_matches(footer["master"], HASH), "`master` is not 32 bytes in hex")
    _must(_matches(footer["head"], HASH), "`head` is not 32 bytes in hex")
    _must(_has(footer["result"], {"reason", "places", "scores"}), "`result` is not a reason, places and scores")
    return footer


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _check_chain(header: Object, events: list[Object]) -> None:
    """Check 2: sequence, times, hashes, and every published seed against the `next` that promised it."""
    prev, at = _sha256(canonical(header)), ""
    for seq, event in enumerate(events):
        place = f"event {seq}"
        if event["seq"] != seq:
            raise RecordRefused(place, "`seq` does not count from 0 without gaps")
        # Times have one form and one length, so they compare as texts.
        if event["at"] < at:
            raise RecordRefused(place, "the time is earlier than that of the event before")
        if event["prev"] != prev:
            raise RecordRefused(place, "`prev` is not the hash of what stands before it")
        unhashed = {name: value for name, value in event.items() if name != "hash"}
        if event["hash"] != _sha256(canonical(unhashed)):
            raise RecordRefused(place, "`hash` is not the hash of the event")
        for seed in event["seeds"]:
            if seed["seq"] > seq:
                raise RecordRefused(place, "a seed is published before its event")
            # Seed 0 has no `next` before it: the master proves it.
            if seed["seq"] > 0 and events[seed["seq"] - 1]["next"] != _sha256(bytes.fromhex(seed["seed"])):
                raise RecordRefused(place, f"the seed of event {seed['seq']} is not the promised one")
        if _finished(event) is not None and seq + 1 < len(events):
            raise RecordRefused(f"event {seq + 1}", "the game was over")
        prev, at = event["hash"], event["at"]


def _finished(event: Object) -> Object | None:
    """The result in the last effect of the event that ends the game."""
    last: Object = event["effects"][-1] if event["effects"] else {}
    if last.get("type") != "finished":
        return None
    return {name: value for name, value in last.items() if name != "type"}


def _hkdf(master: bytes, salt: bytes, info: bytes) -> bytes:
    """HKDF-SHA256 (RFC 5869) for 32 bytes: one block."""
    extracted = hmac.digest(salt, master, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


def _key(header: Object, game: bytes, master: bytes) -> bytes:
    if header["record"] == FORMS[0]:
        return _hkdf(master, hashlib.sha256(canonical(header)).digest(), b"pippost/key/1" + game)
    return _hkdf(master, b"", b"pippost/sandbox/1")


def _check_proof(header: Object, events: list[Object], footer: Object) -> None:
    """Check 4: commitment, key, every seed and `next`, head and result."""
    game, master = UUID(header["id"]).bytes, bytes.fromhex(footer["master"])
    if _sha256(b"pippost/commit/1" + game + master) != header["commitment"]:
        raise RecordRefused("footer", "`master` is not what the server committed to")
    key = _key(header, game, master)
    seeds: list[bytes] = [hmac.digest(key, b"pippost/draw/1" + seq.to_bytes(8), "sha256") for seq in range(len(events) + 1)]
    for seq, event in enumerate(events):
        for seed in event["seeds"]:
            number: int = seed["seq"]
            if seeds[number].hex() != seed["seed"]:
                raise RecordRefused(f"event {seq}", "a seed does not follow from `master`")
        if event["next"] != _sha256(seeds[seq + 1]):
            raise RecordRefused(f"event {seq}", "`next` does not follow from `master`")
    result = _finished(events[-1])
    if result is None:
        raise RecordRefused("footer", "the game is not over, so it has no footer")
    if footer["head"] != events[-1]["hash"]:
        raise RecordRefused("footer", "`head` is not the hash of the last event")
    if canonical(footer["result"]) != canonical(result):
        raise RecordRefused("footer", "`result` is not how the game ended")
