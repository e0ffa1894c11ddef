"""One account at one server: its tokens, and requests that are sent again where that is safe."""

import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import httpx

from pippost._errors import Unreachable, refusal_of, retry_after

# Answers that a proxy made because it got none.
LOST = (502, 504)
ASKED_TO_WAIT = (429, 503)


@dataclass(frozen=True)
class Settings:
    """Bounds of waiting, in seconds."""

    attempts: int = 6
    """How often a request is sent at most."""
    first_wait: float = 1.0
    """The wait after the first failure; it doubles."""
    longest_wait: float = 120.0
    """A longer `Retry-After` is not waited for: the refusal is raised, with it."""
    timeout: float = 30.0
    """How long the server may be silent."""

    def back_off(self, attempt: int) -> float:
        """Twice as long each time, and not all clients at once."""
        wait: float = self.first_wait * 2 ** min(attempt - 1, 32)
        return min(wait, self.longest_wait) * random.uniform(0.5, 1)


class Session:
    """Sends requests with a token, and renews it."""

    def __init__(self, url: str, settings: Settings, token: str | None = None, login: tuple[str, str] | None = None) -> None:
        if (token is None) == (login is None):
            raise ValueError("either a token, or a login with a password")
        self.settings = settings
        self.http = httpx.Client(base_url=url.rstrip("/"), timeout=settings.timeout, follow_redirects=False)
        self._login = login
        self._access = token
        self._refresh: str | None = None
        # A refresh token is valid once, so threads renew one after the other.
        self._renewing = threading.Lock()

    def keep(self, session: Mapping[str, Any]) -> None:
        self._access, self._refresh = session["access_token"], session["refresh_token"]

    def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The answer below `/api/v1`, which is none of an error. A `POST` is carried out once, however often it is sent."""
        sent = dict(headers or {})
        if method == "POST":
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))

        def ask(token: str) -> httpx.Response:
            authorised = sent | {"Authorization": f"Bearer {token}"}
            return self.patiently(
                lambda: self.http.request(method, f"/api/v1{path}", json=json, params=params, headers=authorised)
            )

        answer = self._authorised(ask)
        if answer.is_success or answer.status_code == 304:
            return answer
        raise refusal_of(answer)

    def stream(self, path: str, params: Mapping[str, str], timeout: float) -> AbstractContextManager[httpx.Response]:
        """A stream of lines; sent once, because the caller begins again where it stood."""
        headers = {"Accept": "application/x-ndjson", "Authorization": f"Bearer {self.token()}"}
        return self.http.stream("GET", f"/api/v1{path}", params=params, headers=headers, timeout=timeout)

    def open_post(self, path: str, body: object, attempts: int | None = None) -> httpx.Response:
        """The answer to somebody who is not logged in."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        ask = lambda: self.http.post(f"/api/v1{path}", json=body, headers=headers)  # noqa: E731
        return self.patiently(ask, attempts)

    def token(self) -> str:
        """The newest access token."""
        return self._access if self._access is not None else self.renew(None)

    def renew(self, used: str | None) -> str:
        """A token in place of the one that was used, unless another thread has got it meanwhile."""
        with self._renewing:
            if self._access == used or self._access is None:
                self._new_tokens()
            assert self._access is not None
            return self._access

    def can_renew(self) -> bool:
        return self._login is not None

    def _authorised(self, ask: Callable[[str], httpx.Response]) -> httpx.Response:
        used = self.token()
        answer = ask(used)
        if answer.status_code == 401 and self.can_renew():
            return ask(self.renew(used))
        return answer

    def _new_tokens(self) -> None:
        if self._login is None:
            return
        refresh, self._refresh = self._refresh, None
        if refresh is not None:
            # Whether it was used is not known if the answer is lost: then only the password helps.
            try:
                answer = self.open_post("/sessions/refresh", {"refresh_token": refresh}, attempts=1)
                if answer.is_success:
                    return self.keep(answer.json())
            except Unreachable:
                pass
        login, password = self._login
        answer = self.open_post("/sessions", {"login": login, "password": password})
        if not answer.is_success:
            raise refusal_of(answer)
        self.keep(answer.json())

    def patiently(self, ask: Callable[[], httpx.Response], attempts: int | None = None) -> httpx.Response:
        """Asks until there is an answer that is worth something, or the bounds are reached."""
        attempts = attempts or self.settings.attempts
        for attempt in range(1, attempts + 1):
            try:
                answer = ask()
            except httpx.TransportError as lost:
                if attempt == attempts:
                    raise Unreachable(str(lost)) from lost
                wait = self.settings.back_off(attempt)
            else:
                asked = self._wait_after(answer, attempt)
                if asked is None or attempt == attempts:
                    return answer
                wait = asked
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _wait_after(self, answer: httpx.Response, attempt: int) -> float | None:
        """The seconds to wait before the request is sent again; None if it is not."""
        wait = self.settings.back_off(attempt)
        if answer.status_code in LOST:
            return wait
        if answer.status_code not in ASKED_TO_WAIT:
            return None
        asked = retry_after(answer)
        wait = wait if asked is None else float(asked)
        return wait if wait <= self.settings.longest_wait else None
