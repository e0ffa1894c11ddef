"""Plays a game of Pip•Pip with the client that openapi-generator makes for Python, always with the last legal action."""

import sys
import uuid

import openapi_client as pippost


def player(url: str, handle: str) -> pippost.ApiClient:
    body = pippost.NewAccountBody(handle=handle, email=f"{handle}@example.org", password=f"a long password of {handle}")
    with pippost.ApiClient(pippost.Configuration(host=url)) as guest:
        session = pippost.AccountsApi(guest).register(body)
    return pippost.ApiClient(pippost.Configuration(host=url, access_token=session.access_token))


def main(url: str) -> None:
    names = [f"{name}-{uuid.uuid4().hex[:8]}" for name in ("ann", "bob")]
    seats = [pippost.GamesApi(player(url, name)) for name in names]
    offer = pippost.NewGameBody(pippost.PipPipNewGameBody(rules="pip-pip", seating=pippost.Seating.JOINED))
    game = seats[0].create_game(offer).actual_instance
    game = seats[1].join_game(game.id, pippost.JoinBody()).actual_instance
    while game.status == pippost.Status.RUNNING:
        seat = seats[game.to_act]
        legal = seat.legal_actions(game.id).actual_instance
        action = pippost.RuleSetAction.from_json(legal.actions[-1].to_json())
        actions = pippost.ActionsBody(actions=[action], expected_seq=legal.seq)
        game = seat.make_move(game.id, pippost.MoveBody(actions)).game.actual_instance
    print("game", f"{game.id}:", game.rules, game.status.value, game.result.reason.value, game.seq + 1, "events")


main(sys.argv[1])
