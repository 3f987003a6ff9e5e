"""What each step offers, completely, and how it answers any other move."""

from __future__ import annotations

from collections import Counter

from domain.engine.dice import Luck
from domain.engine.game import random_move, seats_to_move
from domain.games.chang_cheng import GAME, moves
from domain.games.chang_cheng.events import course, wall
from tests.games.chang_cheng.table import card, cells, happens, menu, refusal, table
from tests.games.seen import find_refusal
from tests.support.for_each import for_each

FULL_B1 = " ".join(f"b1:{n}={n % 3}" for n in range(1, 14))
C1_BUT_ONE = "b1:1=0 b1:2=1 b1:3=2"
FILL = moves.BuildSingle(0, "b1:4")


def scoring(*numbers, walls=C1_BUT_ONE, **position):
    """A table where seat 0 has just filled b1:C1, in which these cards of seat 1 wait."""
    state = table(walls, cards=[card(1, number, "b1:C1") for number in numbers], **position)
    happens(state, FILL)
    return state


def offering():
    """Two players: seat 0 has built a tower and may build a neutral wall."""
    state = table(seats=2)
    happens(state, moves.BuildTower(0, "b1:1"))
    return state


def force_neutral_wall():
    """Two players: seat 1 can do nothing but build a neutral wall."""
    walls = " ".join(f"b1:{n}=1" for n in range(1, 14)) + " b2:1=1 b2:3=1t b2:5-6=1 b2:8=0t"
    state = table(walls, seats=2, hands=[[1, 2], []])
    happens(state, moves.LayCard(0, "b2:C1", 1), moves.LayCard(0, "b2:C2", 2))
    assert happens(state, moves.DeclineNeutral(0))[-1] == course.TurnBegan(1)
    return state


def after_card():
    state = table(hands=[[2, 4], [], []])
    happens(state, moves.LayCard(0, "b1:C1", 4))
    return state


def second_single():
    state = table()
    happens(state, moves.BuildSingle(0, "b1:1"))
    return state


def extending():
    walls = "b1:1=0 b1:2=0 b1:3=1 b2:1=1 b2:2=1 b2:3=1 b1:10=2 b1:11=2 b1:12=2 b1:13=2"
    state = table(walls, emperors=["b2:C1", "b1:C3"])
    happens(state, FILL)
    return state


SAMPLES = (
    lambda seat: moves.BuildSingle(seat, "b2:12"),
    lambda seat: moves.BuildDouble(seat, ("b2:11", "b2:12")),
    lambda seat: moves.BuildTower(seat, "b2:12"),
    lambda seat: moves.LayCard(seat, "b2:C3", 2),
    lambda seat: moves.EndAction(seat),
    lambda seat: moves.ScoreFirst(seat, "b1:C1"),
    lambda seat: moves.StrikeCard(seat, 3),
    lambda seat: moves.DestroyWall(seat, "b1:1"),
    lambda seat: moves.RemoveThreat(seat, "b1:M1"),
    lambda seat: moves.ChangeValue(seat, 2),
    lambda seat: moves.AddWall(seat),
    lambda seat: moves.SwapWalls(seat, ("b1:1", "b2:1")),
    lambda seat: moves.DeclineCard(seat),
    lambda seat: moves.ExtendWall(seat, "b3", "left"),
    lambda seat: moves.BuildNeutral(seat, "b2:12"),
    lambda seat: moves.DeclineNeutral(seat),
)


@for_each("number", [1, 2, 3, 4, 6])
def test_a_card_that_is_used_admits_nothing_of_the_course_of_the_game(number):
    """CC-7.1"""
    state = scoring(number, 5, walls=C1_BUT_ONE + " b2:1=1")
    assert seats_to_move(state) == (1,)
    course = [s(1) for s in SAMPLES if type(s(1)) not in EFFECTS]
    assert len(course) == 9
    for move in course:
        assert refusal(state, move) == ("CC-7.1", "not_now")


EFFECTS = {
    moves.StrikeCard,
    moves.DestroyWall,
    moves.RemoveThreat,
    moves.ChangeValue,
    moves.AddWall,
    moves.SwapWalls,
    moves.DeclineCard,
}
DOES = {
    1: {moves.StrikeCard, moves.DeclineCard},
    2: {moves.DestroyWall, moves.RemoveThreat, moves.DeclineCard},
    3: {moves.ChangeValue},
    4: {moves.ChangeValue, moves.AddWall},
    6: {moves.SwapWalls, moves.DeclineCard},
}


@for_each(("number", "does"), DOES.items())
def test_each_card_does_what_is_written_on_it_and_nothing_else(number, does):
    """CC-7.3, CC-7.4, CC-7.5, CC-7.7, CC-7.1"""
    state = scoring(number, 5, walls=C1_BUT_ONE + " b2:1=1")
    assert {type(move) for move in menu(state)} == does
    others = [sample(1) for sample in SAMPLES if type(sample(1)) in EFFECTS - does]
    for move in others:
        fault = "not_optional" if isinstance(move, moves.DeclineCard) else "not_this_card"
        assert refusal(state, move) == ("CC-7.1", fault)


def test_a_turn_offers_every_single_double_tower_and_card():
    """CC-3.1, CC-4.1, CC-4.2, CC-4.4, CC-4.5: on two empty boards of 13 cells."""
    state = table(hands=[[1, 2, 3], [], []])
    assert Counter(type(move) for move in menu(state)) == {
        moves.BuildSingle: 26,
        moves.BuildDouble: 25,
        moves.BuildTower: 26,
        moves.LayCard: 6 * 3,
    }


def test_a_turn_offers_only_what_is_left_to_build():
    """CC-1.3, CC-4.7"""
    singles = " ".join(f"b1:{n}=0" for n in range(1, 14)) + " b2:1=0"
    assert {type(m) for m in menu(table(singles, hands=[[], [], []]))} == {
        moves.BuildDouble,
        moves.BuildTower,
    }
    great = "b1:1-2=0 b1:4=0t"
    assert {type(m) for m in menu(table(great, hands=[[], [], []]))} == {moves.BuildSingle}


def test_the_double_of_another_player_does_not_matter():
    """CC-1.3"""
    for seat in (0, 1, 2):
        others = " ".join(
            f"b2:{2 * other + 1}-{2 * other + 2}={other}" for other in range(3) if other != seat
        )
        offered = menu(table(others, active=seat), moves.BuildDouble)
        assert moves.BuildDouble(seat, ("b1:1", "b1:2")) in offered


@for_each(
    ("walls", "piece"),
    [
        (" ".join(f"b1:{n}=0" for n in range(1, 14)) + " b2:1=0", "single"),
        ("b1:1-2=0", "double"),
        ("b1:1=0t", "tower"),
    ],
)
def test_a_refusal_names_the_piece_that_is_missing(walls, piece):
    """CC-1.3"""
    missing = {
        "single": moves.BuildSingle(0, "b2:13"),
        "double": moves.BuildDouble(0, ("b2:12", "b2:13")),
        "tower": moves.BuildTower(0, "b2:13"),
    }[piece]
    said = {
        "single": "You have no single walls left. Choose another action.",
        "double": "You have no double wall left. Choose another action.",
        "tower": "You have no tower left. Choose another action.",
    }[piece]
    assert find_refusal(GAME, table(walls), missing) == ("CC-1.3", "none_left", said)


def test_no_tower_is_offered_beside_a_tower():
    """CC-5.3"""
    state = table("b1:5=1t b1:13=2t")
    offered = set(cells(state, moves.BuildTower))
    assert offered.isdisjoint({"b1:4", "b1:5", "b1:6", "b1:12", "b1:13", "b2:1"})
    assert {"b1:3", "b1:7", "b1:11", "b2:2"} <= offered


def test_a_reserved_cell_is_offered_only_to_its_owner():
    """CC-5.5: as a single, as half of a double, and for no player's tower."""
    walls = "b1:6=1t b1:5=2"
    for seat in (0, 1):
        state = table(walls, reserved={"1": ["b1:5", "b1:7"]}, active=seat)
        mine = seat == 1
        assert (moves.BuildSingle(seat, "b1:7") in menu(state)) == mine
        assert (moves.BuildDouble(seat, ("b1:7", "b1:8")) in menu(state)) == mine
        assert moves.BuildTower(seat, "b1:7") not in menu(state)


def test_whose_the_reserved_cell_is_decides_before_the_tower_beside_it():
    """CC-5.5, CC-5.3"""
    state = table("b1:6=1t b1:5=2", reserved={"1": ["b1:5", "b1:7"]})
    assert refusal(state, moves.BuildTower(0, "b1:7")) == ("CC-5.5", "reserved")
    assert refusal(state, moves.BuildSingle(0, "b1:7")) == ("CC-5.5", "reserved")
    assert refusal(state, moves.BuildDouble(0, ("b1:7", "b1:8"))) == ("CC-5.5", "reserved")
    free = table("b1:6=1t")
    assert refusal(free, moves.BuildTower(0, "b1:7")) == ("CC-5.3", "beside_tower")


def test_the_second_single_goes_wherever_the_first_did_not():
    """CC-4.1"""
    state = second_single()
    wanted = [f"b1:{n}" for n in range(5, 14)] + [f"b2:{n}" for n in range(1, 14)]
    assert cells(state, moves.BuildSingle) == wanted


def test_after_a_card_the_other_card_elsewhere_or_a_single_beside_the_first():
    """CC-4.2, CC-4.3"""
    assert menu(after_card()) == [
        *(moves.LayCard(0, region, 2) for region in ("b1:C2", "b1:C3", "b2:C1", "b2:C2", "b2:C3")),
        *(moves.BuildSingle(0, f"b1:{n}") for n in (1, 2, 3, 4)),
    ]


def test_a_warrior_is_offered_the_other_cards_and_a_traitor_walls_and_threats():
    """CC-7.3, CC-7.4"""
    assert menu(scoring(1, 3, 5)) == [
        moves.DeclineCard(1),
        moves.StrikeCard(1, 3),
        moves.StrikeCard(1, 5),
    ]
    assert menu(scoring(2, walls="b1:1=0 b1:2=1x b1:3=2t")) == [
        moves.DeclineCard(1),
        moves.DestroyWall(1, "b1:1"),
        moves.DestroyWall(1, "b1:4"),
        moves.RemoveThreat(1, "b1:M1"),
    ]


def test_an_official_is_offered_each_pair_of_a_single_here_and_a_single_elsewhere():
    """CC-7.7"""
    state = scoring(6, walls="b1:1=0x b1:2=1 b1:3=2t b1:5=0 b2:2=2 b2:4-5=2")
    assert set(menu(state, moves.SwapWalls)) == {
        moves.SwapWalls(1, (here, there)) for here in ("b1:2", "b1:4") for there in ("b1:5", "b2:2")
    }


def test_each_swap_of_an_official_and_none_are_drawn_equally():
    """CC-7.1, CC-7.7"""
    state, dice = scoring(6, walls="b1:1=0x b1:2=1 b1:3=2t b1:5=0 b2:1=1 b2:2=2"), Luck(1)
    assert len(menu(state)) == 7
    drawn = Counter(random_move(GAME, state, 1, dice) for _ in range(700))
    assert drawn.keys() == {*menu(state)}
    assert all(60 < times < 140 for times in drawn.values())


def test_two_full_regions_are_named_from_left_to_right():
    """CC-6.2: in the order of the boards on the table, not of their numbers."""
    walls = "b2:10=0 b2:11=1 b2:12=2 b1:2=0 b1:3=1 b1:4=2"
    state = table(walls, boards=["b2", "b1"])
    happens(state, moves.BuildDouble(0, ("b2:13", "b1:1")))
    assert menu(state) == [moves.ScoreFirst(0, "b2:C3"), moves.ScoreFirst(0, "b1:C1")]


def test_an_extension_offers_both_boards_of_the_reserve_at_both_ends():
    """CC-8.2"""
    assert menu(extending()) == [
        moves.ExtendWall(0, board, side) for board in ("b3", "b4") for side in ("left", "right")
    ]


def test_a_forced_neutral_wall_goes_to_any_open_cell():
    """CC-11.6"""
    state = force_neutral_wall()
    assert seats_to_move(state) == (1,)
    open_cells = ["b2:2", "b2:4", "b2:7", "b2:9", "b2:10", "b2:11", "b2:12", "b2:13"]
    assert cells(state, moves.BuildNeutral) == open_cells
    built = happens(state, moves.BuildNeutral(1, "b2:12"))[0]
    assert built == wall.NeutralBuilt(1, "b2:12", "CC-11.6")
    assert seats_to_move(state) == (0,)


def test_the_neutral_wall_after_a_tower_goes_into_another_region():
    """CC-11.3"""
    state = offering()
    wanted = [f"b1:{n}" for n in range(5, 14)] + [f"b2:{n}" for n in range(1, 14)]
    assert cells(state, moves.BuildNeutral) == wanted
    assert refusal(state, moves.BuildNeutral(0, "b1:2")) == ("CC-5.5", "reserved")
    assert refusal(state, moves.BuildNeutral(0, "b1:3")) == ("CC-11.3", "not_this_region")
    assert refusal(state, moves.BuildNeutral(0, "b1:1")) == ("CC-5.1", "not_empty")
    assert refusal(state, moves.BuildNeutral(0, "b3:1")) == ("CC-5.1", "no_such_cell")


def test_a_neutral_wall_after_two_singles_goes_into_either_of_their_regions():
    """CC-11.3"""
    state = table(seats=2)
    happens(state, moves.BuildSingle(0, "b1:1"), moves.BuildSingle(0, "b2:1"))
    assert cells(state, moves.BuildNeutral) == ["b1:2", "b1:3", "b1:4", "b2:2", "b2:3"]


def test_a_neutral_wall_after_a_card_and_a_single_goes_into_another_region():
    """CC-11.3"""
    state = table(seats=2)
    happens(state, moves.LayCard(0, "b1:C1", 2), moves.BuildSingle(0, "b1:1"))
    wanted = [f"b1:{n}" for n in range(5, 14)] + [f"b2:{n}" for n in range(1, 14)]
    assert cells(state, moves.BuildNeutral) == wanted


def test_a_neutral_wall_after_only_one_single_goes_into_its_region():
    """CC-11.3, CC-4.6: no other region has an open cell for the second."""
    walls = FULL_B1.replace("=2", "=n") + " " + " ".join(f"b2:{n}=1" for n in range(1, 10))
    state = table(walls, seats=2)
    happens(state, moves.BuildSingle(0, "b2:10"))
    assert cells(state, moves.BuildNeutral) == ["b2:11", "b2:12", "b2:13"]


def test_without_neutral_walls_in_the_supply_none_is_offered():
    """CC-11.1, CC-11.3"""
    state = table(" ".join(f"b1:{n}=n" for n in range(1, 13)), seats=2)
    happens(state, moves.BuildTower(0, "b2:1"))
    assert seats_to_move(state) == (1,)


def test_a_double_of_ones_own_ends_the_reservation():
    """CC-5.5"""
    state = table("b1:6=0t b1:5=1", reserved={"0": ["b1:5", "b1:7"]})
    told = happens(state, moves.BuildDouble(0, ("b1:7", "b1:8")))
    assert told[1] == wall.ReservationEnded(0)


def test_a_refusal_names_those_for_whom_a_cell_is_kept():
    """CC-5.5"""
    walls = "b1:4=1t b1:6=2t b1:3=0 b1:7=0"
    state = table(walls, reserved={"1": ["b1:3", "b1:5"], "2": ["b1:5", "b1:7"]})
    said = "I·5 is reserved for seat 2 and seat 3. Choose another cell."
    assert find_refusal(GAME, state, moves.BuildSingle(0, "b1:5")) == ("CC-5.5", "reserved", said)
