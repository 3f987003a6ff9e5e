"""Why what is touched cannot be chosen, where the menu never offers it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import awaited, legal_moves, tree
from domain.engine.resolve_touches import pointed_at
from domain.games import GAMES
from tests.engine.table import new_game
from tests.games.seen import why

POST = re.compile(r'data-at="(post:[^"]+)"')


def touched(key: str, *path: Any) -> Any:
    """The move that somebody points at as the first of a game of three; `...` is what the menu
    begins with.
    """
    game = GAMES[key]
    state = new_game(game, 3, Luck(1))
    seat = awaited(state)[0]
    view = game.view(state, seat)
    first = next(iter(game.touches(view, legal_moves(game, state, seat)[0])))[0]
    return pointed_at(game, state, seat, view, [first if one is ... else one for one in path])


@pytest.mark.parametrize(
    ("game", "path", "reason"),
    [
        ("qin", [..., "space:c3"], "Neither c3 nor c2 is beside a start space or a tile."),
        ("qin", [..., "space:f4", "space:k9"], "f4 and k9 do not share an edge."),
        ("tigris_euphrates", ["tile:temple", "cell:A4"], "A4 is river; only farms lie there."),
        ("tigris_euphrates", ["leader:king", "cell:A4"], "A4 is river; leaders stand on land."),
        (
            "chang_cheng",
            ["build:single", "cell:b9:1"],
            "There is no cell b9:1 on the boards in play.",
        ),
        ("hansa_teutonica", ["post:bremen--minden:0"], "No piece stands on this post."),
    ],
)
def test_the_rule_is_told_that_forbids_it(game: str, path: list[Any], reason: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        touched(game, *path)
    assert why(GAMES[game], refused.value) == reason


def test_of_things_that_come_to_the_same_each_can_be_touched() -> None:
    """The first free post of a route is listed for all that are as free."""
    game = GAMES["hansa_teutonica"]
    state = new_game(game, 3, Luck(1))
    seat = awaited(state)[0]
    view = game.view(state, seat)
    ways = tree(game, view, legal_moves(game, state, seat)).ways
    listed = {way[1] for way in ways if way[0] == "supply:trader"}
    [unlisted, *_] = [post for post in POST.findall(game.svg(view)) if post not in listed]
    move = pointed_at(game, state, seat, view, ["supply:trader", unlisted])
    assert [*game.touches(view, move)] == [("supply:trader", unlisted)]
