"""Chapters 9 to 11: the end of a turn, of the game, of a series."""

import pytest

from domain.engine.errors import GameOver
from domain.engine.game import judge, seats_to_move
from domain.engine.play import Awaiting
from domain.games.qin import GAME
from domain.games.qin.events import GameEnded, TileDrawn, TilePlaced, TurnPassed, VillageConnected
from domain.games.qin.moves import PlaceTile
from domain.games.qin.scoring import fewest_left, scoring
from domain.games.qin.state.setup import Options
from domain.games.qin.state.steps import Turn
from tests.games.qin.table import after, effects, lay, table, tile
from tests.support.for_each import for_each


def narrow(*hands, owners, **more):
    """A table with hardly any room left, and an empty pile."""
    return table("rr.rr..", "bb.bb##", owners=owners, hands=hands, pile=(), **more)


def test_the_active_player_draws_a_tile():
    """QIN-9.1, QIN-9.2"""
    state = table("B...", "....", hands=(("RR", "RY", "YY"), ("BB",)), pile=("YB",))
    assert TileDrawn(0, "YB") in lay(state, "RR", "b1", "c1")
    then = after(state, "RR", "b1", "c1")
    assert [sum(hand) for hand in then.hands] == [3, 1]
    assert sum(then.pile) == 0


def test_from_an_empty_pile_nothing_is_drawn():
    """QIN-9.1, QIN-9.2"""
    state = table("B...", "....", hands=(("RR", "RY", "YY"), ("BB",)), pile=())
    assert [sum(hand) for hand in after(state, "RR", "b1", "c1").hands] == [2, 1]


def test_a_player_without_a_placement_is_passed_and_keeps_their_tiles():
    """QIN-9.3"""
    state = narrow(("YY",), ("RR",), ("YY",), owners=("11.22..", "11.22.."), seats=3)
    events = lay(state, "YY", "f1", "g1")
    assert events[-2:] == [TurnPassed(1), Awaiting((Turn((2,)),))]
    assert [sum(hand) for hand in after(state, "YY", "f1", "g1").hands] == [0, 1, 1]


def test_the_same_player_plays_again_if_all_others_are_passed():
    """QIN-9.3"""
    state = narrow(("YY", "YY"), ("RR",), owners=("11.00..", "11.00.."))
    assert lay(state, "YY", "f1", "g1")[-2:] == [TurnPassed(1), Awaiting((Turn((0,)),))]


def test_a_passed_player_plays_when_a_later_turn_makes_room():
    """QIN-9.3: seat 1 would join two against two, until seat 2 makes it two against three."""
    state = table(
        "bb.bb..bb..",
        "##.########",
        owners=("11.00..22..", "..........."),
        seats=3,
        hands=(("YY",), ("BB",), ("YB",)),
        pile=(),
    )
    assert lay(state, "YY", "j1", "k1")[-2] == TurnPassed(1)
    later = after(state, "YY", "j1", "k1")
    assert lay(later, "YB", "g1", "f1", seat=2)[-2] == TurnPassed(0)
    assert seats_to_move(after(later, "YB", "g1", "f1", seat=2)) == (1,)


def test_no_player_may_choose_to_pass():
    """QIN-9.4"""
    assert GAME.answers.moves == (PlaceTile,)


def test_the_game_ends_when_no_player_can_place():
    """QIN-9.5, QIN-10.2: no seat counts as passed, and equal players share the victory."""
    state = table(
        "rr..yy", "######", owners=("00..11", "......"), hands=(("YB",), ("RR", "BB")), pile=()
    )
    events = lay(state, "YB", "c1", "d1")
    assert [type(event) for event in events] == [TilePlaced, GameEnded, Awaiting]
    assert events[-2:] == [GameEnded("blocked", (0, 1), (23, 23)), Awaiting(())]


def test_the_game_ends_when_all_tiles_are_placed():
    """QIN-10.2: the most pagodas on the board win."""
    state = table("Brr..", "..y..", owners=(".11..", "....."), hands=(("YY",), ()), pile=())
    then = after(state, "YY", "d1", "e1")
    assert (then.ended, then.winners) == ("tiles_exhausted", (0, 1))


def test_the_last_pagoda_wins_at_once():
    """QIN-10.1"""
    state = table("B...", "....", supply=(1, 9))
    then = after(state, "RR", "b1", "c1")
    assert (then.ended, then.winners, seats_to_move(then)) == ("last_pagoda", (0,), ())
    with pytest.raises(GameOver):
        judge(GAME, then, tile("YY", "a2", "b2"))


def test_the_last_pagoda_may_be_placed_in_another_players_turn():
    """QIN-10.1"""
    state = table("rr..V", ".....", owners=("11...", "....."), supply=(20, 1))
    assert effects(state, "RR", "c1", "d1")[1:] == [
        VillageConnected(1, (0, 4)),
        GameEnded("last_pagoda", (1,), (20, 0)),
    ]


def test_the_ranking_goes_by_the_supply():
    """QIN-10.3"""
    state = table("rrrrrVyy.", "bb.......", owners=("11111100.", "22......."), seats=3)
    assert [(line.points, line.rank) for line in scoring(state).lines] == [(1, 2), (3, 1), (1, 2)]
    assert scoring(state).lines[1].breakdown == {"provinces": 2, "villages": 1, "supply": 16}
    assert scoring(state).reason == ""


def test_the_winner_is_first_even_if_another_has_no_pagoda_left_either():
    """QIN-10.1, QIN-10.3"""
    state = table("rrrr..Y.", "........", owners=("0000....", "........"), supply=(1, 1), active=1)
    final = scoring(after(state, "RY", "e1", "f1", seat=1))
    assert [line.rank for line in final.lines] == [2, 1]
    assert (final.reason, final.winners) == ("last_pagoda", (1,))


def series(*boards, **options):
    return GAME.setup(Options(series=boards, **options), 2)


def test_a_series_plays_one_board_after_the_other():
    """QIN-11.1, QIN-11.4"""
    chosen = {"colours": ("white", "black"), "joining_majors": "mutual_removal"}
    state = GAME.blank_state(series("lion", "bird", first_player="seat:1", **chosen), 2)
    state.first = 1
    assert state.setup.board == "lion"
    following = GAME.series.next_options(state, 2)
    assert following == {"board": "bird", "series": ("bird",), "first_player": "seat:0", **chosen}
    last = GAME.blank_state(GAME.setup(Options(**following), 2), 2)
    assert (last.setup.board, GAME.series.is_series(last.setup)) == ("bird", True)
    assert GAME.series.next_options(last, 3) is None


def test_a_single_game_is_no_series():
    """QIN-11.1"""
    assert not GAME.series.is_series(GAME.setup(Options(), 2))


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [((0, 6), (2, 0), [0]), ((0, 4), (4, 0), [0, 1])],
)
def test_the_pagodas_left_are_charged_and_the_lowest_total_wins(first, second, winners):
    """QIN-11.2, QIN-11.3"""
    totals = [0, 0]
    for supply in (first, second):
        state = GAME.blank_state(GAME.setup(Options(), 2), 2)
        state.supply = list(supply)
        totals = [a + b for a, b in zip(totals, GAME.series.penalties(state), strict=True)]
    assert [seat for seat, total in enumerate(totals) if total == min(totals)] == winners


@for_each(
    ("hands", "passed", "following"),
    [
        ((("YY", "YY"), ("YY",), ("YY",)), [], 1),
        ((("YY", "YY"), ("RR",), ("YY",)), [1], 2),
        ((("YY", "YY"), ("RR",), ("BB",)), [1, 2], 0),
        ((("YY", "YY"), (), ()), [1, 2], 0),
    ],
)
def test_those_are_passed_who_cannot_place_up_to_the_first_who_can(hands, passed, following):
    """QIN-9.3: on c1 and c2 red or blue would be a tie, and yellow is not."""
    state = narrow(*hands, owners=("11.00..", "11.00.."), seats=3)
    events = lay(state, "YY", "f1", "g1")
    assert [event.seat for event in events if isinstance(event, TurnPassed)] == passed
    assert events[-1] == Awaiting((Turn((following,)),))


@pytest.mark.parametrize(
    ("hands", "reason"),
    [((("YB",), ("RR",)), "blocked"), ((("YB",), ()), "tiles_exhausted")],
)
def test_the_reason_of_the_end_is_whether_any_player_still_holds_a_tile(hands, reason):
    """QIN-10.2"""
    state = table("rr..yy", "######", owners=("00..11", "......"), hands=hands, pile=())
    then = after(state, "YB", "c1", "d1")
    assert (then.ended, then.winners) == (reason, (0, 1))


@for_each(("active", "winner"), [(0, 0), (1, 1), (2, 0)])
def test_of_several_without_pagodas_the_first_from_the_active_player_wins(active, winner):
    """QIN-8.3, QIN-10.1: seats 0 and 1 both get their fifth space."""
    state = table(
        "rrrr..yyyy",
        "..........",
        owners=("0000..1111", ".........."),
        seats=3,
        supply=(1, 1, 9),
        active=active,
    )
    assert after(state, "RY", "e1", "f1", seat=active).winners == (winner,)


@for_each(
    ("supplies", "ranks"),
    [
        ((3, 5, 9), [1, 2, 3]),
        ((5, 5, 9), [1, 1, 3]),
        ((9, 5, 5), [3, 1, 1]),
        ((4, 4, 4), [1, 1, 1]),
    ],
)
def test_equal_supplies_share_a_place(supplies, ranks):
    """QIN-10.2, QIN-10.3"""
    state = table("R..", seats=3, supply=supplies)
    assert [line.rank for line in scoring(state).lines] == ranks
    assert fewest_left(state) == tuple(seat for seat in range(3) if ranks[seat] == 1)
