"""Feeds: every event once and in order, however often the stream is cut."""

import json
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx

from pippost import types
from pippost._errors import NotAllowed, refusal_of, retry_after
from pippost._session import Session

# The longest pause that a server can ask for; a later request asks again.
MAX_WAIT_SECONDS = 3600

# The server says every 16 seconds that it is there.
IDLE_TIMEOUT_SECONDS = 30.0


class FeedEvent(NamedTuple):
    """An event and its id. Who keeps the id of the last one goes on after it."""

    id: str
    event: "types.Event"


class _Over(Exception):
    """There is nothing more."""


class _Cut(Exception):
    """The stream ended before the feed did."""

    def __init__(self, wait: float | None = None) -> None:
        super().__init__()
        self.wait = wait


def _once(session: Session, path: str, after: str | None) -> Iterator[FeedEvent | None]:
    """What one stream has: events, and None for other lines. Ends with an exception."""
    used = session.token()
    with session.stream(path, {"after": after} if after else {}, IDLE_TIMEOUT_SECONDS) as answer:
        if answer.status_code == 204:
            raise _Over
        if answer.status_code == 401 and session.can_renew():
            session.renew(used)
            raise _Cut(0)
        if answer.status_code == 429 or answer.status_code >= 500:
            raise _Cut(retry_after(answer))
        if not answer.is_success:
            answer.read()
            raise refusal_of(answer)
        for text in answer.iter_lines():
            # A line that was cut is no JSON.
            line: dict[str, Any] = json.loads(text) if text else {"type": "heartbeat"}
            if line["type"] == "event":
                yield FeedEvent(line["id"], line["event"])
            elif line["type"] == "end":
                if line["reason"] == "not_allowed":
                    raise NotAllowed("this account may not see the game any more")
                raise _Over if line["reason"] == "game_over" else _Cut
            else:
                yield None
        raise _Cut


def follow(session: Session, path: str, after: str | None) -> Iterator[FeedEvent]:
    """The events of the feed at `path` after `after`. Whatever happens, it asks again after the last event."""
    failures = 0
    while True:
        wait: float | None = None
        try:
            for event in _once(session, path, after):
                failures = 0
                if event is not None:
                    after = event.id
                    yield event
        except _Over:
            return
        except _Cut as cut:
            wait = cut.wait
        except (httpx.TransportError, json.JSONDecodeError):
            pass
        failures += 1
        time.sleep(session.settings.back_off(failures) if wait is None else min(wait, MAX_WAIT_SECONDS))
