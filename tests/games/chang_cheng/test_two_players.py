"""Two players and the neutral colour."""

from __future__ import annotations

from domain.engine.game import seats_to_move
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.events.cards import RegionScored, WallDestroyed
from domain.games.chang_cheng.events.course import MongolsInvaded, TurnSkipped
from domain.games.chang_cheng.events.wall import NeutralBuilt, ThreatSeen
from domain.games.chang_cheng.moves import (
    BuildDouble,
    BuildNeutral,
    BuildSingle,
    BuildTower,
    DeclineNeutral,
    DestroyWall,
    EndAction,
    ExtendWall,
    LayCard,
)
from domain.games.chang_cheng.state.table import NEUTRAL
from tests.games.chang_cheng.table import (
    card,
    cells,
    happens,
    kinds,
    list_reservations,
    menu,
    only,
    refusal,
    table,
)
from tests.support.for_each import for_each

BOARDS = ["b1", "b2", "b3"]


def two(walls: str = "", **position):
    return table(walls, seats=2, **position)


def test_the_neutral_colour_has_twelve_singles_and_no_score():
    """CC-11.1"""
    view = GAME.view(two("b1:1=n"), 0)
    assert (view.neutral, len(view.scores)) == (11, 2)
    assert GAME.view(table(), 0).neutral is None


def test_a_neutral_wall_may_be_declined():
    """CC-11.2"""
    state = two()
    happens(state, BuildTower(0, "b1:1"))
    assert refusal(state, BuildSingle(0, "b1:5")) == ("CC-11.2", "not_now")
    assert kinds(happens(state, DeclineNeutral(0))) == ["NeutralDeclined", "TurnBegan"]
    assert seats_to_move(state) == (1,)


def test_the_first_round_has_no_neutral_wall():
    """CC-11.2"""
    state = two(opening=True, first=0)
    happens(state, BuildSingle(0, "b1:1"))
    assert seats_to_move(state) == (1,)


def test_three_players_build_no_neutral_wall():
    """CC-11.1"""
    state = table()
    happens(state, BuildTower(0, "b1:1"))
    assert seats_to_move(state) == (1,)


def test_after_two_cards_it_goes_where_these_are():
    """CC-11.3"""
    state = two()
    happens(state, LayCard(0, "b1:C1", 1), LayCard(0, "b2:C1", 2))
    assert cells(state, BuildNeutral) == ["b1:1", "b1:2", "b1:3", "b1:4", "b2:1", "b2:2", "b2:3"]
    assert refusal(state, BuildNeutral(0, "b1:5")) == ("CC-11.3", "not_this_region")


def test_after_only_one_card_it_goes_into_the_region_of_the_card():
    """CC-11.3, CC-4.6"""
    state = two(hands=[[4], []])
    happens(state, LayCard(0, "b2:C1", 4), EndAction(0))
    assert cells(state, BuildNeutral) == ["b2:1", "b2:2", "b2:3"]


def test_after_a_double_across_a_border_it_goes_into_neither_region():
    """CC-11.3"""
    state = two()
    happens(state, BuildDouble(0, ("b1:13", "b2:1")))
    left, right = [f"b1:{n}" for n in range(1, 10)], [f"b2:{n}" for n in range(4, 14)]
    assert cells(state, BuildNeutral) == left + right


def test_without_an_open_cell_no_neutral_wall_is_built():
    """CC-11.3"""
    state = two("b2:1=1 b1:1=0 b1:2=0 b1:3=1")
    happens(state, BuildSingle(0, "b1:4"), BuildSingle(0, "b2:2"))
    assert cells(state, BuildNeutral) == ["b2:3"]
    state = two("b2:1=1 b2:2=1 b1:1=0 b1:2=0 b1:3=1")
    happens(state, BuildSingle(0, "b1:4"), BuildSingle(0, "b2:3"))
    assert seats_to_move(state) == (1,)


def test_a_neutral_wall_gives_a_look_and_fills_regions():
    """CC-11.4"""
    state = two("b1:1=1 b1:2=1 b1:3=0")
    happens(state, BuildTower(0, "b2:6"))
    told = happens(state, BuildNeutral(0, "b1:4"))
    assert only(told, NeutralBuilt) == NeutralBuilt(0, "b1:4")
    assert only(told, ThreatSeen).seat == 0
    assert only(told, RegionScored).neutral == 1
    assert state.emperors == ("b1:C1",)


def test_a_neutral_wall_can_be_destroyed():
    """CC-11.4"""
    state = two("b1:1=n b1:2=1 b1:3=0", cards=[card(1, 2, "b1:C1")])
    told = happens(state, BuildSingle(0, "b1:4"), DestroyWall(1, "b1:1"))
    assert only(told, WallDestroyed).colour is None


def test_if_only_neutral_walls_are_at_the_top_no_player_scores():
    """CC-11.5"""
    state = two("b1:1=n b1:2=n b1:3=1")
    assert only(happens(state, BuildSingle(0, "b1:4")), RegionScored).winners == ()


def test_who_is_tied_with_neutral_walls_scores_in_full():
    """CC-11.5"""
    state = two("b1:1=n b1:2=n b1:3=0")
    event = only(happens(state, BuildSingle(0, "b1:4")), RegionScored)
    assert (event.walls, event.neutral, event.winners) == ((2, 0), 2, (0,))


def test_neutral_walls_count_for_the_mongols_too():
    """CC-11.5"""
    signs = {"b1": "nnn0110011001", "b2": "0011001100110", "b3": "nnnnnnnnn101"}
    words = [f"{b}:{n}={sign}" for b, row in signs.items() for n, sign in enumerate(row, 1)]
    state = two(" ".join(words), boards=BOARDS, hands=[[], []])
    attack = next(
        e for e in happens(state, BuildSingle(0, "b3:13")) if isinstance(e, MongolsInvaded)
    )
    assert (attack.walls, attack.neutral, attack.payers) == ((1, 1), 3, ())


def fill_walls():
    """Seat 1 has built everything, seat 0 two singles less; both hands are empty."""
    ones = [f"b1:{n}=1" for n in range(1, 14)] + ["b2:1=1", "b2:2-3=1", "b2:13=1t"]
    zeros = [f"b2:{n}=0" for n in range(4, 10)]
    return two(" ".join(ones + zeros), hands=[[], []], emperors=["b1:C1", "b1:C2"])


def test_who_can_do_nothing_else_must_build_a_neutral_wall():
    """CC-11.6, CC-4.7"""
    state = fill_walls()
    happens(state, BuildTower(0, "b2:11"))
    assert seats_to_move(state) == (1,)
    assert {type(move) for move in menu(state)} == {BuildNeutral}
    assert refusal(state, DeclineNeutral(1)) == ("CC-11.6", "not_now")
    happens(state, BuildNeutral(1, "b2:10"))
    assert seats_to_move(state) == (0,)


def test_who_cannot_even_do_that_is_skipped():
    """CC-11.6"""
    state = fill_walls()
    state.singles[NEUTRAL] = 0
    told = happens(state, BuildTower(0, "b2:11"))
    assert only(told, TurnSkipped).seat == 1
    assert seats_to_move(state) == (0,)


@for_each(
    ("action", "inside"),
    [
        ([BuildSingle(0, "b1:1"), BuildSingle(0, "b2:5")], {"b1:C1", "b2:C2"}),
        ([LayCard(0, "b1:C2", 1), LayCard(0, "b2:C3", 2)], {"b1:C2", "b2:C3"}),
        ([LayCard(0, "b1:C2", 1), BuildSingle(0, "b1:5")], None),
        ([BuildDouble(0, ("b1:1", "b1:2"))], None),
        ([BuildTower(0, "b2:13")], None),
    ],
)
def test_where_a_neutral_wall_goes_after_each_of_the_five_actions(action, inside):
    """CC-11.3"""
    state = two()
    happens(state, *action)
    touched = inside or {region_of(state, action[-1])}
    every = {cell.name: cell.china for cell in GAME.view(state, 0).wall if cell.kind is None}
    allowed = [c for c, region in every.items() if (region in touched) == (inside is not None)]
    assert cells(state, BuildNeutral) == allowed
    assert DeclineNeutral(0) in menu(state)
    outside = next(cell for cell in every if cell not in allowed)
    assert refusal(state, BuildNeutral(0, outside)) == ("CC-11.3", "not_this_region")


def region_of(state, move):
    """The Chinese region where a piece was built."""
    cell = move.cells[0] if isinstance(move, BuildDouble) else move.cell
    return next(shown.china for shown in GAME.view(state, 0).wall if shown.name == cell)


def test_the_neutral_wall_comes_after_the_scorings_and_the_extension_of_the_action():
    """CC-11.2, CC-6.6"""
    walls = "b1:1=0 b1:2=0 b1:3=1 b2:1=1 b2:2=0 b2:3=1 b2:10=1 b2:11=0 b2:12=1 b2:13=0"
    state = two(walls, emperors=["b2:C1", "b2:C3"])
    happens(state, BuildTower(0, "b1:4"))
    assert {type(move) for move in menu(state)} == {ExtendWall}
    happens(state, ExtendWall(0, "b3", "right"))
    assert "b3:1" in cells(state, BuildNeutral)
    told = happens(state, BuildNeutral(0, "b3:1"))
    assert kinds(told) == ["NeutralBuilt", "ThreatSeen", "TurnBegan"]


def test_a_forced_neutral_wall_may_go_anywhere_that_is_open_to_it():
    """CC-11.4, CC-11.6"""
    state = fill_walls()
    happens(state, BuildTower(0, "b2:11"))
    assert refusal(state, BuildNeutral(1, "b2:11")) == ("CC-5.1", "not_empty")
    assert refusal(state, BuildNeutral(1, "b3:1")) == ("CC-5.1", "no_such_cell")
    assert cells(state, BuildNeutral) == ["b2:10", "b2:12"]


def test_a_neutral_wall_beside_a_tower_leaves_the_last_cell_to_its_owner():
    """CC-5.5, CC-11.4"""
    state = two("b1:6=1t", reserved={"1": ["b1:5", "b1:7"]})
    happens(state, BuildSingle(0, "b1:9"), BuildSingle(0, "b2:1"))
    told = happens(state, BuildNeutral(0, "b1:7"))
    assert "ReservationEnded" not in kinds(told)
    assert list_reservations(state) == {"b1:5": (1,)}
