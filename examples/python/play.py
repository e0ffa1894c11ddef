"""Plays a game of any rule set between two accounts of your server, then lets the server verify the game's record.

    python play.py http://127.0.0.1:8080 pip-pip
"""

import random
import sys
from typing import TypeVar

from pippost_client import AuthenticatedClient, Client
from pippost_client.api.accounts import log_in, register
from pippost_client.api.games import create_game, join_game, legal_actions, make_move
from pippost_client.api.history import export_record, verify_record
from pippost_client.models import (
    ActionsBody,
    Choose,
    DominionAttackAction,
    DominionLegalActions,
    DominionNewGameBody,
    GivenDominionOptions,
    GivenPippinzipOptions,
    JoinBody,
    LogInBody,
    NewAccountBody,
    PippinzipLegalActions,
    PippinzipNewGameBody,
    PippinzipPlaceAction,
    PipPipLegalActions,
    PipPipNewGameBody,
    PipPipStoreAction,
    ProblemBody,
    Selection,
    SerpentLegalActions,
    SerpentNewGameBody,
)

NewGame = DominionNewGameBody | PippinzipNewGameBody | PipPipNewGameBody | SerpentNewGameBody
Legal = DominionLegalActions | PippinzipLegalActions | PipPipLegalActions | SerpentLegalActions
T = TypeVar("T")

NEW_GAMES: dict[str, NewGame] = {
    "dominion": DominionNewGameBody(rules="dominion", options=GivenDominionOptions(size=3, round_limit=4)),
    "pippinzip": PippinzipNewGameBody(rules="pippinzip", options=GivenPippinzipOptions(size=5)),
    "pip-pip": PipPipNewGameBody(rules="pip-pip"),
    "serpent": SerpentNewGameBody(rules="serpent"),
}


def answered(answer: T | ProblemBody | None) -> T:
    """The answer, unless it is a problem."""
    if answer is None or isinstance(answer, ProblemBody):
        sys.exit(f"{answer.code}: {answer.detail}" if answer else "an answer that the document does not have")
    return answer


def player(url: str, handle: str) -> AuthenticatedClient:
    """The account that an earlier run has made, or a new one."""
    guest, password = Client(base_url=url), f"the long password of {handle}"
    session = log_in.sync(client=guest, body=LogInBody(login=handle, password=password))
    if isinstance(session, ProblemBody) and session.code == "wrong_credentials":
        body = NewAccountBody(handle=handle, email=f"{handle}@example.org", password=password)
        session = register.sync(client=guest, body=body)
    return AuthenticatedClient(base_url=url, token=answered(session).access_token)


def neighbours(one: str, other: str) -> bool:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:])) == 1


def picked(pick: Selection) -> list[str]:
    """As many entries as may be picked, in a random order."""
    chosen: list[str] = []
    for entry in random.sample(pick.from_, len(pick.from_)):
        apart = not pick.apart or not any(neighbours(entry, other) for other in chosen)
        if apart and len(chosen) < pick.most:
            chosen.append(entry)
    return chosen


def move(legal: Legal) -> ActionsBody:
    """One of the legal actions: here is where a player of yours would think."""
    match legal:
        case DominionLegalActions(actions=offers):
            attacks = [offer for offer in offers if isinstance(offer, DominionAttackAction)]
            chosen = random.choice(attacks or offers)
        case PipPipLegalActions(actions=offers):
            others = [offer for offer in offers if not isinstance(offer, PipPipStoreAction)]
            chosen = random.choice(others or offers)
        case PippinzipLegalActions(actions=offers) | SerpentLegalActions(actions=offers):
            chosen = random.choice(offers)
    match chosen:
        case Choose(type_="place", choose=pick):
            return ActionsBody(actions=[PippinzipPlaceAction(type_="place", cells=picked(pick))], expected_seq=legal.seq)
        case Choose():
            sys.exit(f"a choice that this program does not know: {chosen}")
        case action:
            return ActionsBody(actions=[action], expected_seq=legal.seq)


def main(url: str, rules: str) -> None:
    players = {handle: player(url, handle) for handle in ("python-ann", "python-bob")}
    ann, bob = players.values()
    game = answered(create_game.sync(client=ann, body=NEW_GAMES[rules]))
    game = answered(join_game.sync(game.id, client=bob, body=JoinBody(entropy="bob was here")))
    while game.to_act is not None:
        handle = next(player.handle for player in game.players if player.seat == game.to_act)
        legal = answered(legal_actions.sync(game.id, client=players[handle]))
        game = answered(make_move.sync(game.id, client=players[handle], body=move(legal))).game
    record = answered(export_record.sync(game.id, client=ann))
    verdict = answered(verify_record.sync(client=ann, body=record))
    if verdict.verdict != "accepted" or game.result is None:
        sys.exit(f"the record is refused: {verdict.failure}")
    print(f"{game.rules} {game.id}: {game.result.reason}, {verdict.events} events, record {verdict.verdict}")


if __name__ == "__main__":
    main(*sys.argv[1:])
