"""What a player does most. Everything else goes by `Player.request`."""

import random
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import quote

import httpx

from pippost._errors import Refused, refusal_of
from pippost._feed import FeedEvent, follow
from pippost._session import Session, Settings

if TYPE_CHECKING:
    from pippost import types

# The most games of a list that are read at once.
PAGE = 100


class Player:
    """An account at a server: `Player(url, token=…)`, `Player(url, login=(handle, password))` or `Player.register(…)`."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        login: tuple[str, str] | None = None,
        settings: Settings = Settings(),
    ) -> None:
        self._session = Session(url, settings, token, login)
        self._turns: tuple[str, list[types.ListedGame]] | None = None

    @classmethod
    def register(
        cls, url: str, handle: str, email: str, password: str, *, bot: bool = False, settings: Settings = Settings()
    ) -> Self:
        """Makes an account and logs in."""
        player = cls(url, login=(handle, password), settings=settings)
        body = {"handle": handle, "email": email, "password": password, "bot": bot}
        answer = player._session.open_post("/accounts", body)
        if not answer.is_success:
            raise refusal_of(answer)
        player._session.keep(answer.json())
        return player

    @classmethod
    def bot(cls, url: str, handle: str, password: str, *, settings: Settings = Settings()) -> Self:
        """Logs in as a program; its account is made if the handle is free."""
        player = cls(url, login=(handle, password), settings=settings)
        try:
            player._session.renew(None)
        except Refused as refused:
            if refused.code != "wrong_credentials":
                raise
            return cls.register(url, handle, f"{handle}@bots.invalid", password, bot=True, settings=settings)
        return player

    def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The answer of any operation (`path` without `/api/v1`). Waits and repeats as all methods do, and raises `Refused`."""
        return self._session.request(method, path, json=json, params=params, headers=headers)

    def close(self) -> None:
        self._session.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def create_game(self, body: "types.NewGameBody") -> "types.GameView":
        return self.request("POST", "/games", json=body).json()

    def join(self, game_id: str, *, invitation: str | None = None, entropy: str = "") -> "types.GameView":
        """Joins a game; of one that was joined before it gives the view."""
        body = {"entropy": entropy} | ({} if invitation is None else {"invitation": invitation})
        try:
            return self.request("POST", f"{_game(game_id)}/join", json=body).json()
        except Refused as refused:
            # Joining takes no key: the answer to an earlier try may have been lost.
            if refused.code != "already_joined":
                raise
            return self.game(game_id)

    def game(self, game_id: str) -> "types.GameView":
        return self.request("GET", _game(game_id)).json()

    def actions(self, game_id: str) -> "types.LegalActions":
        return self.request("GET", f"{_game(game_id)}/actions").json()

    def move(
        self, game_id: str, move: "list[types.RuleSetAction] | str", expected_seq: int
    ) -> "types.Moved":
        """Moves by actions or words, if the game's newest event is still `expected_seq`. Keep the receipts of the answer."""
        said: dict[str, object] = {"notation": move} if isinstance(move, str) else {"actions": move}
        return self.request("POST", f"{_game(game_id)}/moves", json=said | {"expected_seq": expected_seq}).json()

    def resign(self, game_id: str) -> "types.Moved":
        return self.request("POST", f"{_game(game_id)}/resign", json={}).json()

    def record(self, game_id: str) -> bytes:
        """The record as it is to be verified and kept, byte for byte."""
        return self.request("GET", f"{_game(game_id)}/record").content

    def keys(self) -> "types.KeySet":
        """The keys that sign receipts."""
        answer = self._session.patiently(lambda: self._session.http.get("/.well-known/jwks.json"))
        if not answer.is_success:
            raise refusal_of(answer)
        return answer.json()

    def follow(self, game_id: str, after: str | None = None) -> Iterator[FeedEvent]:
        """The events of a game after `after`, each once and in order, until it is over."""
        return follow(self._session, f"{_game(game_id)}/feed", after)

    def follow_all(self, after: str | None = None) -> Iterator[FeedEvent]:
        """The same of all games of the account; it does not end by itself."""
        return follow(self._session, "/me/feed", after)

    def games(self, **query: str | int) -> "list[types.ListedGame]":
        """A page of games, such as `list="open"`."""
        return self.request("GET", "/games", params=query).json()["games"]

    def my_turns(self) -> "list[types.ListedGame]":
        """The games in which it is this player's turn. A list that is as it was costs nothing of a quota."""
        tag = {} if self._turns is None else {"If-None-Match": self._turns[0]}
        answer = self.request("GET", "/games", params={"list": "my_turn", "limit": PAGE}, headers=tag)
        if answer.status_code == 304 and self._turns is not None:
            return self._turns[1]
        games: list[types.ListedGame] = answer.json()["games"]
        known = answer.headers.get("ETag")
        self._turns = None if known is None else (known, games)
        return games


def _game(game_id: str) -> str:
    return f"/games/{quote(game_id, safe='')}"


def _neighbours(one: str, other: str) -> bool:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:])) == 1


def _picked(pick: "types.Selection") -> list[str]:
    """As few entries as may be picked."""
    chosen: list[str] = []
    for entry in random.sample(pick["from"], len(pick["from"])):
        if len(chosen) == max(pick["least"], 1):
            break
        if not pick["apart"] or not any(_neighbours(entry, other) for other in chosen):
            chosen.append(entry)
    return chosen


def any_action(legal: "types.LegalActions") -> "types.RuleSetAction":
    """One of the legal actions at random, of any rules."""
    offer = cast(dict[str, Any], random.choice(cast(list[object], legal["actions"])))
    if "choose" not in offer:
        return cast("types.RuleSetAction", offer)
    action = {"type": offer["type"], offer["choose"]["member"]: _picked(offer["choose"])}
    return cast("types.RuleSetAction", action)
