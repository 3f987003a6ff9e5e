"""The bots of Hansa Teutonica: what a route takes, and what they do on small tables."""

from __future__ import annotations

import pytest

from domain.engine.bots import sight_of
from domain.engine.dice import Luck
from domain.engine.game import advance
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.bot.effort import (
    NEVER,
    Means,
    effort,
    means_of,
    pawn_efforts,
    tallies,
)
from domain.games.hansa_teutonica.bot.worth import evaluate
from domain.games.hansa_teutonica.moves import Choice, ImproveAbility, MovePawn
from domain.games.hansa_teutonica.state import State
from tests.games.hansa_teutonica.table import player, table

THINKING = [level for level in GAME.levels if level.key in ("merchant", "alderman")]
RICH = Means(supply=5, stock=0, on_posts=0, bag=3, book=2)

MARKERS = {
    "markers": {
        "bremen--osnabruck": "extra_office",
        "luneburg--perleberg": "swap_offices",
        "goslar--hildesheim": "remove_three",
    },
    "pile": {"extra_office": 4, "improve_ability": 3, "plus_3_actions": 2, "plus_4_actions": 2},
}


def chosen(level: str, state: State, seat: int = 0) -> Choice:
    bot = next(each.bot for each in GAME.levels if each.key == level)
    return bot(sight_of(GAME, state, seat, Luck(1)))


@pytest.mark.parametrize(
    ("posts", "means", "actions"),
    [
        pytest.param(b"\x01\x01\x01", RICH._replace(on_posts=3), 1, id="only to be established"),
        pytest.param(b"\x00\x00\x00", RICH, 4, id="three to be placed"),
        pytest.param(b"\x00\x00", RICH._replace(supply=0, stock=5), 4, id="an income first"),
        pytest.param(b"\x00\x00", RICH._replace(on_posts=2), 2, id="both moved at once"),
        pytest.param(b"\x00\x01", RICH._replace(on_posts=1), 2, id="its own piece stays"),
        pytest.param(b"\x00\x00", RICH._replace(supply=1), NEVER, id="too few pieces"),
    ],
)
def test_a_route_takes_so_many_actions(posts: bytes, means: Means, actions: float) -> None:
    assert effort(tallies(posts, 2)[0], means) == actions


def test_a_merchant_in_the_way_costs_more_than_a_trader() -> None:
    trader, merchant = (tallies(bytes((1, there)), 2)[0] for there in (3, 4))
    assert 2 < effort(trader, RICH) < effort(merchant, RICH)


def test_means_are_those_of_the_seat() -> None:
    state = table(player("ttm"), player("t"), routes={"dortmund--duisburg": ["0t", "1t"]})
    assert means_of(state, 0) == Means(supply=3, stock=8, on_posts=1, bag=3, book=2)


def test_the_pawn_goes_freely_over_two_borders_and_else_for_an_action() -> None:
    state = table(player("ttm"), player("t"), pawn="P16")
    routes = state.board.route_number
    efforts = pawn_efforts(state, 0)
    here, near, far = (
        efforts[routes[route]]
        for route in ("goslar--magdeburg", "paderborn--warburg", "bremen--hamburg")
    )
    assert here == 0 < near < far == 1


def test_who_waits_cannot_know_where_the_pawn_will_be() -> None:
    state = table(player("ttm"), player("t"), pawn="P16")
    assert len(set(pawn_efforts(state, 1))) == 1


@pytest.mark.parametrize("level", [level.key for level in THINKING])
def test_a_full_route_to_gottingen_is_for_another_action(level: str) -> None:
    state = table(
        player("t"),
        player("t"),
        player("t"),
        routes={"gottingen--quedlinburg": ["0t", "0t", "0t"]},
        **MARKERS,
    )
    assert chosen(level, state) == ImproveAbility(
        0, "gottingen--quedlinburg", "gottingen", "actions"
    )


@pytest.mark.parametrize("level", [level.key for level in THINKING])
def test_the_pawn_goes_where_a_route_is_full(level: str) -> None:
    state = table(
        player("t"),
        player("t"),
        pawn="P13",
        routes={"gottingen--quedlinburg": ["0t", "0t", "0t"]},
        **MARKERS,
    )
    assert chosen(level, state) == MovePawn(0, "P15")


@pytest.mark.parametrize("level", [level.key for level in THINKING])
def test_whoever_wins_by_it_ends_the_game(level: str) -> None:
    state = table(
        player("t", prestige=18),
        player("t"),
        player("t"),
        actions=1,
        routes={"dortmund--duisburg": ["0t", "0t"]},
        cities={"duisburg": {"offices": ["0t"]}, "dortmund": {"offices": ["0m", None]}},
    )
    advance(GAME, state, chosen(level, state), Luck(1))
    assert state.winners == (0,)


def test_more_pieces_on_a_wanted_route_are_better() -> None:
    less = table(
        player("ttt"),
        player(),
        player(),
        routes={"gottingen--quedlinburg": ["0t", None, None]},
        **MARKERS,
    )
    more = table(
        player("tt"),
        player(),
        player(),
        routes={"gottingen--quedlinburg": ["0t", "0t", None]},
        **MARKERS,
    )
    assert evaluate(less, 0) < evaluate(more, 0)
