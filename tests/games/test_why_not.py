"""Why a touch cannot be chosen, although the menu never offers it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import legal_moves, seats_to_move, touch_tree
from domain.engine.resolve_touches import resolve_touches
from domain.games import GAMES
from tests.engine.table import new_game
from tests.games.seen import why

POST = re.compile(r'data-at="(post:[^"]+)"')


def point_at(key: str, *path: Any) -> Any:
    """The move that seat 0 points at in a game of three; `...` stands for the first choice of the
    menu.
    """
    game = GAMES[key]
    state = new_game(game, 3, Luck(1))
    seat = seats_to_move(state)[0]
    view = game.view(state, seat)
    first = next(iter(game.pointing.touches(view, legal_moves(game, state, seat)[0])))[0]
    return resolve_touches(game, state, seat, view, [first if one is ... else one for one in path])


@pytest.mark.parametrize(
    ("game", "path", "reason"),
    [
        (
            "qin",
            [..., "space:c3"],
            "Neither c3 nor c2 touches a start space or a tile. Place the tile next to one.",
        ),
        (
            "qin",
            [..., "space:f4", "space:k9"],
            "f4 and k9 do not share an edge. Choose two adjacent spaces.",
        ),
        ("tigris_euphrates", ["tile:temple", "cell:A4"], "A4 is river. Only farms go there."),
        ("tigris_euphrates", ["leader:king", "cell:A4"], "A4 is river. Place leaders on land."),
        (
            "chang_cheng",
            ["build:single", "cell:b9:1"],
            "There is no cell b9:1 on the boards in play. Choose another cell.",
        ),
        (
            "hansa_teutonica",
            ["city:stade"],
            "You do not hold all posts of Hamburg–Stade. Fill them first.",
        ),
    ],
)
def test_the_refusal_names_the_rule(game: str, path: list[Any], reason: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        point_at(game, *path)
    assert why(GAMES[game], refused.value) == reason


def test_of_things_that_come_to_the_same_each_can_be_touched() -> None:
    """The menu lists the first free post of a route for all equally free ones."""
    game = GAMES["hansa_teutonica"]
    state = new_game(game, 3, Luck(1))
    seat = seats_to_move(state)[0]
    view = game.view(state, seat)
    ways = touch_tree(game, view, legal_moves(game, state, seat)).ways
    listed = {way[1] for way in ways if way[0] == "supply:trader"}
    [unlisted, *_] = [
        post for post in POST.findall(game.render_svg(view, game.words())) if post not in listed
    ]
    move = resolve_touches(game, state, seat, view, ["supply:trader", unlisted])
    assert [*game.pointing.touches(view, move)] == [("supply:trader", unlisted)]
