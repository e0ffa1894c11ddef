"""Canonical JSON (RFC 8785) of the values that a record may hold: integers only, well-formed Unicode."""

import json
from typing import Any, NoReturn, cast

MAX_INTEGER = 2**53 - 1

# A record needs five; deeper values are none that a server would write.
MAX_DEPTH = 127


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is not an integer of at most 2^53 - 1")


def _integer(text: str) -> int:
    # Long digits are refused before they are converted, which takes time.
    return int(text) if len(text) <= 17 and abs(int(text)) <= MAX_INTEGER else _refuse(text)


def _sorted(value: object, depth: int = 0) -> object:
    """The value with its members in the order of their UTF-16 code units."""
    if depth > MAX_DEPTH:
        raise ValueError("values lie too deep in each other")
    if isinstance(value, dict):
        members = cast(dict[str, object], value)
        names = sorted(members, key=lambda name: name.encode("utf-16-be"))
        return {name: _sorted(members[name], depth + 1) for name in names}
    if isinstance(value, list):
        return [_sorted(entry, depth + 1) for entry in cast(list[object], value)]
    return value


def canonical(value: object) -> bytes:
    """The canonical bytes of a value."""
    return json.dumps(_sorted(value), ensure_ascii=False, separators=(",", ":")).encode()


def read_canonical(line: bytes) -> dict[str, Any]:
    """The object that these bytes are the canonical form of, which also rules out members given twice. Raises `ValueError`."""
    try:
        value: object = json.loads(line.decode(), parse_int=_integer, parse_float=_refuse, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("values lie too deep in each other") from None
    if not isinstance(value, dict):
        raise ValueError("the line is no object")
    members = cast(dict[str, Any], value)
    if canonical(members) != line:
        raise ValueError("the line is not in canonical form (RFC 8785)")
    return members
