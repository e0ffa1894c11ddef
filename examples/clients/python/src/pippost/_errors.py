"""Why something was not as hoped."""

from typing import Any, cast

import httpx


class Refused(Exception):
    """The server said no. Decide by `code`."""

    def __init__(self, problem: dict[str, Any], status: int, retry_after_seconds: int | None) -> None:
        super().__init__(f"{problem['code']}: {problem.get('detail')}")
        self.problem = problem
        self.code: str = problem["code"]
        self.status = status
        self.retry_after_seconds = retry_after_seconds


class Unreachable(Exception):
    """There was no answer, or none of this API, however often the request was sent."""


class NotAllowed(Exception):
    """The account may not see the game any more."""


class WebhookRefused(Exception):
    """Whoever sent it does not have the secret, or sent it long ago. Answer with 401 and believe nothing of it."""


class RecordRefused(Exception):
    """The record is not what a server that keeps the protocol would have written; `place` is the first part that fails."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place = place
        self.why = why


def retry_after(answer: httpx.Response) -> int | None:
    """The seconds of `Retry-After`. A date, which only a proxy would send, counts as nothing."""
    said = answer.headers.get("Retry-After", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else None


def refusal_of(answer: httpx.Response) -> Refused | Unreachable:
    """The refusal in an answer that is none of success."""
    try:
        problem: object = answer.json()
    except ValueError:
        problem = None
    if isinstance(problem, dict):
        members = cast(dict[str, Any], problem)
        if isinstance(members.get("code"), str):
            return Refused(members, answer.status_code, retry_after(answer))
    return Unreachable(f"status {answer.status_code}, and no problem of this API")
