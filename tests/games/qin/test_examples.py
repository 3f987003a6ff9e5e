"""The worked examples, as data."""

import json
import re
from importlib.resources import files

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import decide, fold, judge, seats_to_move
from domain.games.qin import GAME
from domain.games.qin.board import Half
from domain.games.qin.moves import PlaceTile
from domain.games.qin.state.steps import Turn
from domain.games.qin.view import view
from tests.games.qin.table import give_tile, table
from tests.support.for_each import for_each

EXAMPLES = json.loads(files(__package__).joinpath("examples.json").read_text())["examples"]
BOOKKEEPING = {"TilePlaced", "TileDrawn", "TurnPassed", "GameEnded", "Awaiting", "VillageLost"}


@for_each("example", EXAMPLES)
def test_a_worked_example(example):
    state = position_of(example["position"])
    for step in example["steps"]:
        move = move_of(step["action"])
        state = give_tile(state, move)
        state.agenda = [Turn((move.seat,))]
        state = outcome(state, move, step["expect"])


def outcome(state, move, expect):
    if not expect["legal"]:
        with pytest.raises(RuleBroken) as refused:
            judge(GAME, state, move)
        assert refused.value.fault == expect["reason"]
        return state
    events = decide(GAME, state, move, Luck(0))
    then = fold(state.copy(), events)
    seen = view(then, None)
    assert seen.cells == tuple(expect["cells"])
    assert seen.owners == tuple(expect["owners"])
    assert list(seen.supply) == expect["supply"]
    if "events" in expect:
        assert sorted(list_outcomes(events)) == sorted(event["type"] for event in expect["events"])
    check_what_follows(then, expect)
    return then


def check_what_follows(then, expect):
    if "hands" in expect:
        assert [list(hand) for hand in GAME.write_position(then)["hands"]] == expect["hands"]
    if "next_player" in expect:
        assert seats_to_move(then) == (expect["next_player"],)
    if expect.get("game_over"):
        assert (list(then.winners), then.ended) == (expect["winners"], expect["end_reason"])


def list_outcomes(events):
    """The names of the events of provinces and villages, as the examples write them."""
    names = [type(event).__name__ for event in events]
    return [
        re.sub(r"(?<=.)([A-Z])", r"_\1", name).lower() for name in names if name not in BOOKKEEPING
    ]


def position_of(data):
    known = {key: data[key] for key in ("supply", "active", "hands", "pile") if key in data}
    return table(
        *data["cells"],
        owners=tuple(data["owners"]),
        seats=data["players"],
        **data.get("options", {}),
        **known,
    )


def move_of(action):
    one, two = (Half(**half) for half in action["halves"])
    return PlaceTile(action["player"], action["tile"], (one, two))
