"""The six cards."""

from __future__ import annotations

import pytest

from domain.engine.game import seats_to_move
from domain.games.chang_cheng.events.cards import (
    CardsCancelled,
    CardsRevealed,
    CardStruck,
    CardUnused,
    RegionScored,
    ThreatRemoved,
    WallDestroyed,
    WallsAdded,
    WallsSwapped,
)
from domain.games.chang_cheng.events.course import EmperorPlaced
from domain.games.chang_cheng.moves import (
    AddWall,
    BuildSingle,
    BuildTower,
    ChangeValue,
    DeclineCard,
    DestroyWall,
    RemoveThreat,
    StrikeCard,
    SwapWalls,
)
from domain.games.chang_cheng.state.table import Card
from tests.games.chang_cheng.table import card, happens, kinds, menu, only, refusal, table
from tests.support.for_each import for_each

C1 = "b1:C1"
FILL = BuildSingle(0, "b1:4")


def scoring(*cards: tuple[int, int], walls: str = "b1:1=0 b1:2=1 b1:3=2", **more: object):
    """A table where seat 0 has just filled b1:C1, which holds these cards, and the events."""
    laid = [card(seat, number, C1) for seat, number in cards]
    state = table(walls, cards=laid, prestige={C1: 1}, **more)
    return state, happens(state, FILL)


def test_cards_are_used_by_their_owners_from_the_lowest():
    """CC-7.1"""
    state, told = scoring((2, 4), (1, 3), (0, 5), (1, 2))
    assert [c.number for c in only(told, CardsRevealed).cards] == [2, 3, 4, 5]
    for seat, move in ((1, DeclineCard(1)), (1, ChangeValue(1, -2)), (2, ChangeValue(2, 2))):
        assert seats_to_move(state) == (seat,)
        told = happens(state, move)
    assert kinds(told) == ["ValueChanged", "WallsAdded", "RegionScored", "EmperorPlaced"]


@for_each(("number", "may"), [(1, True), (2, True), (3, False), (4, False)])
def test_warrior_traitor_and_official_may_be_declined(number, may):
    """CC-7.1"""
    state, _ = scoring((1, number), (1, 5))
    if may:
        told = happens(state, DeclineCard(1))
        assert only(told, CardUnused).declined
    else:
        assert refusal(state, DeclineCard(1)) == ("CC-7.1", "not_optional")


def test_a_card_does_only_what_it_says():
    """CC-7.1"""
    state, _ = scoring((1, 4))
    assert refusal(state, ChangeValue(1, -2)) == ("CC-7.1", "not_this_card")
    assert refusal(state, DestroyWall(1, "b1:1")) == ("CC-7.1", "not_this_card")
    assert refusal(state, BuildSingle(1, "b1:5")) == ("CC-7.1", "not_now")
    assert menu(state) == [ChangeValue(1, 2), AddWall(1)]


@pytest.mark.parametrize("number", [1, 6])
def test_a_card_without_a_target_is_dropped(number):
    """CC-7.1"""
    _, told = scoring((1, number))
    assert only(told, CardUnused).declined is False
    assert only(told, RegionScored).region == C1


def test_a_traitor_among_great_pieces_and_without_tiles_is_dropped():
    """CC-7.1, CC-7.4"""
    laid = [card(1, 2, "b2:C3")]
    state = table("b2:10-11=1 b2:12=2x", cards=laid, removed=["b2:M3"])
    assert "CardUnused" not in kinds(happens(state, BuildSingle(0, "b2:13")))
    assert menu(state) == [DeclineCard(1), DestroyWall(1, "b2:13")]
    state = table("b2:10-11=1 b2:12=2x", cards=laid, removed=["b2:M3"], active=2)
    assert "CardUnused" in kinds(happens(state, BuildTower(2, "b2:13")))


@pytest.mark.parametrize("alike", [2, 3])
def test_cards_with_the_same_number_remove_one_another(alike):
    """CC-7.2"""
    cards = [(seat, 5) for seat in range(alike)] + [(0, 3)]
    state, told = scoring(*cards)
    assert [c.seat for c in only(told, CardsCancelled).cards] == list(range(alike))
    assert [c.number for c in state.tally.waiting] == [3]


def test_a_warrior_does_not_keep_others_from_cancelling():
    """CC-7.2"""
    state, told = scoring((0, 1), (1, 5), (2, 5))
    assert len(only(told, CardsCancelled).cards) == 2
    assert only(told, CardUnused).card.number == 1
    assert state.tally is None


def test_a_warrior_removes_another_card_that_waits():
    """CC-7.3"""
    state, _ = scoring((1, 1), (1, 3), (2, 5))
    assert menu(state) == [DeclineCard(1), StrikeCard(1, 3), StrikeCard(1, 5)]
    assert refusal(state, StrikeCard(1, 1)) == ("CC-7.3", "no_such_card")
    assert refusal(state, StrikeCard(1, 4)) == ("CC-7.3", "no_such_card")
    assert only(happens(state, StrikeCard(1, 5)), CardStruck).struck.seat == 2
    assert [c.number for c in state.tally.waiting] == [3]


def test_a_traitor_makes_a_ruin():
    """CC-7.4, CC-5.1"""
    state, _ = scoring((1, 2), walls="b1:1=0 b1:2=0 b1:3=1t")
    assert refusal(state, DestroyWall(1, "b1:3")) == ("CC-7.4", "no_single")
    assert refusal(state, DestroyWall(1, "b1:5")) == ("CC-7.4", "no_single")
    assert refusal(state, DestroyWall(1, "b9:5")) == ("CC-7.4", "no_single")
    told = happens(state, DestroyWall(1, "b1:1"))
    assert only(told, WallDestroyed).colour == 0
    event = only(told, RegionScored)
    assert (event.ruins, event.walls, event.value) == (1, (2, 1, 0), 4)
    assert refusal(state, BuildSingle(0, "b1:1")) == ("CC-5.1", "not_empty")


def test_a_traitor_destroys_only_in_its_region():
    """CC-7.4"""
    state, _ = scoring((1, 2), walls="b1:1=0 b1:2=0 b1:3=1 b1:5=2")
    assert refusal(state, DestroyWall(1, "b1:5")) == ("CC-7.4", "other_region")


def test_a_traitor_removes_a_threat_beside_its_region_unseen():
    """CC-7.4, CC-9.3"""
    state, _ = scoring((1, 2), removed=["b1:M2"])
    assert refusal(state, RemoveThreat(1, "b1:M2")) == ("CC-7.4", "not_beside")
    assert refusal(state, RemoveThreat(1, "b7:M2")) == ("CC-7.4", "not_beside")
    told = happens(state, RemoveThreat(1, "b1:M1"))
    assert only(told, ThreatRemoved).region == "b1:M1"
    assert not hasattr(only(told, ThreatRemoved), "threat")
    assert state.removed[0]


def test_a_threat_is_removed_once():
    """CC-7.4"""
    state, _ = scoring((1, 2), removed=["b1:M1"])
    assert refusal(state, RemoveThreat(1, "b1:M1")) == ("CC-7.4", "no_threat")


def test_flood_and_architect():
    """CC-7.5"""
    state, _ = scoring((1, 3), (2, 4))
    assert menu(state) == [ChangeValue(1, 2), ChangeValue(1, -2)]
    happens(state, ChangeValue(1, -2))
    event = only(happens(state, AddWall(2)), RegionScored)
    assert (event.change, event.extra, event.winners) == (-2, (0, 0, 1), (0, 2))


def test_the_great_architect_counts_two_walls_by_itself():
    """CC-7.6"""
    _, told = scoring((2, 5))
    assert only(told, WallsAdded).walls == 2
    assert only(told, RegionScored).winners == (2,)


def test_an_official_makes_two_singles_trade_places():
    """CC-7.7"""
    state, _ = scoring((1, 6), walls="b1:1=0 b1:2=1 b1:3=2 b2:1=1 b2:2=0x b2:4-5=0 b2:7=2t")
    swaps = menu(state, SwapWalls)
    assert {move.cells[1] for move in swaps} == {"b2:1"}
    assert {move.cells[0] for move in swaps} == {"b1:1", "b1:2", "b1:3", "b1:4"}
    assert refusal(state, SwapWalls(1, ("b1:1", "b1:2"))) == ("CC-7.7", "same_region")
    assert refusal(state, SwapWalls(1, ("b1:1", "b2:2"))) == ("CC-7.7", "no_single")
    assert refusal(state, SwapWalls(1, ("b1:1", "b2:4"))) == ("CC-7.7", "no_single")
    assert refusal(state, SwapWalls(1, ("b2:1", "b1:1"))) == ("CC-7.7", "other_region")
    told = happens(state, SwapWalls(1, ("b1:1", "b2:1")))
    assert only(told, WallsSwapped).colours == (1, 0)
    assert only(told, RegionScored).walls == (1, 2, 1)
    assert (state.cells[0], state.cells[13]) == (2, 1)


def test_a_swap_ends_no_reservation_and_gives_no_look():
    """CC-7.7, CC-9.2"""
    walls = "b1:1=0 b1:2=1 b1:3=2 b2:1=1 b2:4=1t b2:5=2"
    state, _ = scoring((1, 6), walls=walls, reserved={"1": ["b2:3", "b2:5"]})
    told = happens(state, SwapWalls(1, ("b1:2", "b2:5")))
    assert {"ReservationEnded", "ThreatSeen"}.isdisjoint(kinds(told))
    assert state.reserved[1] == (15, 17)


ELSEWHERE = "b1:1=0 b1:2=1 b1:3=2 b2:1=1"
EFFECTS = {
    "strike": StrikeCard(1, 5),
    "destroy": DestroyWall(1, "b1:1"),
    "remove": RemoveThreat(1, "b1:M1"),
    "more": ChangeValue(1, 2),
    "less": ChangeValue(1, -2),
    "wall": AddWall(1),
    "swap": SwapWalls(1, ("b1:1", "b2:1")),
    "decline": DeclineCard(1),
}
CAN = {
    1: {"strike", "decline"},
    2: {"destroy", "remove", "decline"},
    3: {"more", "less"},
    4: {"more", "wall"},
    6: {"swap", "decline"},
}


@for_each("effect", EFFECTS)
@for_each("number", CAN)
def test_which_card_does_what(number, effect):
    """CC-7.1, CC-7.3, CC-7.4, CC-7.5, CC-7.7"""
    state, _ = scoring((1, number), (2, 5), walls=ELSEWHERE)
    if effect in CAN[number]:
        assert EFFECTS[effect] in menu(state)
        return
    fault = "not_optional" if effect == "decline" else "not_this_card"
    assert refusal(state, EFFECTS[effect]) == ("CC-7.1", fault)


def test_a_warrior_may_strike_a_card_of_its_owner():
    """CC-7.3"""
    state, _ = scoring((1, 1), (1, 4))
    told = happens(state, StrikeCard(1, 4))
    assert only(told, CardStruck) == CardStruck(Card(1, 1, C1), Card(1, 4, C1))
    assert only(told, RegionScored).extra == (0, 0, 0)


def test_a_great_architect_that_was_struck_counts_nothing():
    """CC-7.3, CC-7.6"""
    state, _ = scoring((1, 1), (2, 5))
    told = happens(state, StrikeCard(1, 5))
    assert "WallsAdded" not in kinds(told)
    assert only(told, RegionScored).winners == (0,)


@for_each(("sign", "owner"), [("0", 0), ("1", 1), ("n", None)])
def test_a_traitor_destroys_walls_of_any_colour_its_own_too(sign, owner):
    """CC-7.4"""
    laid = [card(1, 2, C1)]
    state = table(f"b1:1=0 b1:2=1 b1:3={sign}", seats=2, cards=laid, prestige={C1: 0})
    happens(state, FILL)
    told = happens(state, DestroyWall(1, "b1:3"))
    assert only(told, WallDestroyed).colour == owner
    assert (only(told, RegionScored).ruins, only(told, RegionScored).value) == (1, 3)


@pytest.mark.parametrize("change", [2, -2])
def test_a_flood_lasts_for_this_scoring_only(change):
    """CC-7.5, CC-6.4"""
    state, _ = scoring((1, 3), walls="b1:1=0 b1:2=1 b1:3=2 b1:5=2 b1:6=2 b1:7=2 b1:8=1")
    event = only(happens(state, ChangeValue(1, change)), RegionScored)
    assert (event.change, event.value) == (change, 5 + change)
    assert state.tally is None
    event = only(happens(state, BuildSingle(0, "b1:9")), RegionScored)
    assert (event.region, event.change) == ("b1:C2", 0)


def test_an_official_swaps_with_a_region_that_was_scored_and_that_is_not_scored_again():
    """CC-7.7, CC-6.1"""
    walls = "b1:1=0 b1:2=1 b1:3=2 b2:1=1 b2:2=1 b2:3=2"
    state, _ = scoring((1, 6), walls=walls, emperors=["b2:C1"])
    points = state.score(1)
    told = happens(state, SwapWalls(1, ("b1:4", "b2:1")))
    assert [e.region for e in told if isinstance(e, RegionScored)] == [C1]
    assert only(told, RegionScored).winners == (1,)
    assert state.score(1) == points + 5
    assert state.cells[13] == 1


def test_a_swap_of_equal_colours_changes_nothing_but_uses_the_card():
    """CC-7.7"""
    state, _ = scoring((1, 6), walls=ELSEWHERE)
    before = bytes(state.cells)
    told = happens(state, SwapWalls(1, ("b1:2", "b2:1")))
    assert (bytes(state.cells), state.tally) == (before, None)
    assert only(told, WallsSwapped).colours == (1, 1)


def test_an_official_without_singles_in_its_region_is_dropped():
    """CC-7.1, CC-7.7"""
    laid = [card(1, 6, "b2:C1")]
    state = table("b2:1-2=1 b1:1=0 b1:2=2", cards=laid)
    told = happens(state, BuildTower(0, "b2:3"))
    assert only(told, CardUnused) == CardUnused(Card(1, 6, "b2:C1"), declined=False)


def test_cards_of_other_regions_stay_where_they_are():
    """CC-6.3, CC-7.2"""
    laid = [card(0, 3, "b1:C2"), card(1, 3, C1), card(2, 3, "b1:C2")]
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=laid)
    told = happens(state, FILL)
    assert "CardsCancelled" not in kinds(told)
    assert [(c.seat, c.region) for c in state.laid] == [(0, "b1:C2"), (2, "b1:C2")]
    assert menu(state) == [ChangeValue(1, 2), ChangeValue(1, -2)]


def test_the_active_player_places_the_emperor_card_after_any_player_used_the_last_card():
    """CC-8.1, CC-7.1"""
    state, _ = scoring((2, 4))
    told = happens(state, ChangeValue(2, 2))
    assert only(told, EmperorPlaced) == EmperorPlaced(0, C1)
