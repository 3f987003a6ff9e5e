"""Each move with all its events, in order."""

from __future__ import annotations

from domain.engine.game import seats_to_move
from domain.games.chang_cheng import GAME, moves
from domain.games.chang_cheng.events import cards, course, wall
from domain.games.chang_cheng.state.table import Card
from tests.games.chang_cheng.table import card, happens, only, table

TILES = {"prestige": {"b1:C1": 2, "b1:C2": 3, "b2:C1": 4}, "threats": {"b1:M1": 3, "b2:M1": 4}}


def quiet(walls: str = "", **position):
    """A table on which every seat has seen every threat, so that no move reveals one."""
    regions = [f"b{board}:M{number}" for board in (1, 2) for number in (1, 2, 3)]
    return table(walls, seen=dict.fromkeys(regions, (0, 1, 2)), **TILES, **position)


def test_two_singles_and_a_look_after_each():
    """CC-4.1, CC-9.2, CC-3.1"""
    state = table("b1:1=1", **TILES)
    one, two = moves.BuildSingle(0, "b1:2"), moves.BuildSingle(0, "b2:1")
    assert happens(state, one) == [
        wall.SingleBuilt(0, "b1:2"),
        wall.ThreatSeen(0, "b1:M1", 3),
    ]
    assert happens(state, two) == [
        wall.SingleBuilt(0, "b2:1"),
        wall.ThreatSeen(0, "b2:M1", 4),
        course.TurnBegan(1),
    ]
    assert seats_to_move(state) == (1,)


def test_a_threat_that_was_seen_is_not_seen_again():
    """CC-9.2"""
    state = table(seen={"b1:M1": [0]}, **TILES)
    told = happens(state, moves.BuildSingle(0, "b1:2"), moves.BuildSingle(0, "b1:5"))
    assert told == [
        wall.SingleBuilt(0, "b1:2"),
        wall.SingleBuilt(0, "b1:5"),
        course.TurnBegan(1),
    ]
    assert happens(state, moves.BuildSingle(1, "b1:3"))[1] == wall.ThreatSeen(1, "b1:M1", 3)


def test_a_threat_that_is_gone_is_not_seen():
    """CC-9.2, CC-7.4"""
    state = table(removed=["b1:M1"], **TILES)
    assert happens(state, moves.BuildSingle(0, "b1:2")) == [wall.SingleBuilt(0, "b1:2")]


def test_the_double_scores_four_across_a_seam_and_brings_two_looks():
    """CC-4.4, CC-1.2, CC-9.2"""
    state = table(threats={"b1:M3": 2, "b2:M1": 4})
    assert happens(state, moves.BuildDouble(0, ("b1:13", "b2:1"))) == [
        wall.DoubleBuilt(
            0, ("b1:13", "b2:1"), regions=("b1:C3", "b2:C1", "b1:M3", "b2:M1"), points=4
        ),
        wall.ThreatSeen(0, "b1:M3", 2),
        wall.ThreatSeen(0, "b2:M1", 4),
        course.TurnBegan(1),
    ]
    assert GAME.scoring(state).lines[0].breakdown["double"] == 4


def test_the_double_inside_one_region_of_each_side_scores_two_and_brings_one_look():
    """CC-4.4, CC-9.2"""
    told = happens(table(**TILES), moves.BuildDouble(0, ("b1:2", "b1:3")))
    assert told == [
        wall.DoubleBuilt(0, ("b1:2", "b1:3"), regions=("b1:C1", "b1:M1"), points=2),
        wall.ThreatSeen(0, "b1:M1", 3),
        course.TurnBegan(1),
    ]


def test_the_tower_puts_down_its_empty_neighbours():
    """CC-4.5, CC-5.4"""
    state = quiet("b1:4=1")
    assert happens(state, moves.BuildTower(0, "b1:5")) == [
        wall.TowerBuilt(0, "b1:5", reserved=("b1:6",)),
        course.TurnBegan(1),
    ]
    assert happens(state, moves.BuildTower(1, "b2:1"))[0].reserved == ("b1:13", "b2:2")
    assert happens(state, moves.BuildTower(2, "b1:1"))[0].reserved == ("b1:2",)


def test_two_cards_and_the_next_turn():
    """CC-4.2"""
    state = quiet()
    assert happens(state, moves.LayCard(0, "b1:C1", 5)) == [cards.CardLaid(0, "b1:C1", 5)]
    assert happens(state, moves.LayCard(0, "b2:C1", 6)) == [
        cards.CardLaid(0, "b2:C1", 6),
        course.TurnBegan(1),
    ]
    assert GAME.view(state, 0).cards_in_hand[0] == (1, 2, 3, 4)


def test_a_card_and_a_single_and_the_next_turn():
    """CC-4.3: the single is the end of the action, and no second one follows."""
    state = quiet()
    told = happens(state, moves.LayCard(0, "b1:C1", 5), moves.BuildSingle(0, "b1:4"))
    assert told == [
        cards.CardLaid(0, "b1:C1", 5),
        wall.SingleBuilt(0, "b1:4", "CC-4.3"),
        course.TurnBegan(1),
    ]


def test_the_card_of_this_very_action_takes_part_in_the_scoring():
    """CC-4.3, CC-6.3"""
    state = quiet("b1:1=1 b1:2=1 b1:3=0")
    great = Card(0, 5, "b1:C1")
    told = happens(state, moves.LayCard(0, "b1:C1", 5), moves.BuildSingle(0, "b1:4"))
    assert told[2:] == [
        cards.ScoringBegan(0, "b1:C1"),
        cards.CardsRevealed("b1:C1", (great,)),
        cards.WallsAdded(great, 2),
        cards.RegionScored(
            region="b1:C1",
            size=4,
            ruins=0,
            prestige=2,
            change=0,
            value=6,
            walls=(2, 2, 0),
            extra=(2, 0, 0),
            neutral=0,
            winners=(0,),
        ),
        course.EmperorPlaced(0, "b1:C1"),
        course.TurnBegan(1),
    ]


def test_a_scoring_with_cards_of_two_players():
    """CC-6.3, CC-7.1, CC-7.4, CC-7.5, CC-6.5, CC-8.1"""
    laid = [card(1, 2, "b1:C1"), card(2, 4, "b1:C1")]
    traitor, architect = Card(1, 2, "b1:C1"), Card(2, 4, "b1:C1")
    state = quiet("b1:1=0 b1:2=1 b1:3=2", cards=laid)
    assert happens(state, moves.BuildSingle(0, "b1:4")) == [
        wall.SingleBuilt(0, "b1:4"),
        cards.ScoringBegan(0, "b1:C1"),
        cards.CardsRevealed("b1:C1", (traitor, architect)),
    ]
    assert happens(state, moves.RemoveThreat(1, "b1:M1")) == [cards.ThreatRemoved(traitor, "b1:M1")]
    assert happens(state, moves.AddWall(2)) == [
        cards.WallsAdded(architect, 1),
        cards.RegionScored(
            region="b1:C1",
            size=4,
            ruins=0,
            prestige=2,
            change=0,
            value=6,
            walls=(2, 1, 1),
            extra=(0, 0, 1),
            neutral=0,
            winners=(0, 2),
        ),
        course.EmperorPlaced(0, "b1:C1"),
    ]
    assert [line.points for line in GAME.scoring(state).lines] == [6, 0, 6]


def test_the_action_goes_on_after_the_scoring_in_another_region():
    """CC-6.6, CC-4.1"""
    state = quiet("b1:1=0 b1:2=1 b1:3=2")
    happens(state, moves.BuildSingle(0, "b1:4"))
    assert happens(state, moves.BuildSingle(0, "b1:5")) == [
        wall.SingleBuilt(0, "b1:5"),
        course.TurnBegan(1),
    ]


def test_a_traitor_that_destroys_makes_the_region_worth_less():
    """CC-7.4, CC-6.4"""
    state = quiet("b1:1=1 b1:2=1 b1:3=2", cards=[card(2, 2, "b1:C1")])
    happens(state, moves.BuildSingle(0, "b1:4"))
    told = happens(state, moves.DestroyWall(2, "b1:1"))
    assert told == [
        cards.WallDestroyed(Card(2, 2, "b1:C1"), "b1:1", 1),
        cards.RegionScored(
            region="b1:C1",
            size=4,
            ruins=1,
            prestige=2,
            change=0,
            value=5,
            walls=(1, 1, 1),
            extra=(0, 0, 0),
            neutral=0,
            winners=(0, 1, 2),
        ),
        course.EmperorPlaced(0, "b1:C1"),
    ]


def test_an_official_says_what_stands_on_each_cell_now():
    """CC-7.7"""
    state = quiet("b1:1=1 b1:2=1 b1:3=2 b2:5=0", cards=[card(2, 6, "b1:C1")])
    happens(state, moves.BuildSingle(0, "b1:4"))
    told = happens(state, moves.SwapWalls(2, ("b1:1", "b2:5")))
    assert told[0] == cards.WallsSwapped(Card(2, 6, "b1:C1"), ("b1:1", "b2:5"), (0, 1))
    assert told[1].walls == (2, 1, 1)
    view = {cell.name: cell for cell in GAME.view(state, None).wall}
    assert (view["b1:1"].seat, view["b2:5"].seat) == (0, 1)


def test_a_flood_takes_two_or_brings_two():
    """CC-7.5"""
    for change, value in ((2, 8), (-2, 4)):
        state = quiet("b1:1=1 b1:2=1 b1:3=2", cards=[card(2, 3, "b1:C1")])
        happens(state, moves.BuildSingle(0, "b1:4"))
        told = happens(state, moves.ChangeValue(2, change))
        assert told[0] == cards.ValueChanged(Card(2, 3, "b1:C1"), change)
        assert (told[1].change, told[1].value) == (change, value)


def test_an_architect_may_bring_value_instead_of_a_wall():
    """CC-7.5"""
    state = quiet("b1:1=1 b1:2=1 b1:3=2", cards=[card(2, 4, "b1:C1")])
    happens(state, moves.BuildSingle(0, "b1:4"))
    told = happens(state, moves.ChangeValue(2, 2))
    assert told[0] == cards.ValueChanged(Card(2, 4, "b1:C1"), 2)
    assert (told[1].value, told[1].extra) == (8, (0, 0, 0))


def test_a_warrior_strikes_one_card_and_the_rest_are_used():
    """CC-7.3, CC-7.1"""
    laid = [card(1, 1, "b1:C1"), card(2, 5, "b1:C1"), card(0, 4, "b1:C1")]
    state = quiet("b1:1=1 b1:2=1 b1:3=2", cards=laid)
    happens(state, moves.BuildSingle(0, "b1:4"))
    assert happens(state, moves.StrikeCard(1, 4)) == [
        cards.CardStruck(Card(1, 1, "b1:C1"), Card(0, 4, "b1:C1")),
        cards.WallsAdded(Card(2, 5, "b1:C1"), 2),
        cards.RegionScored(
            region="b1:C1",
            size=4,
            ruins=0,
            prestige=2,
            change=0,
            value=6,
            walls=(1, 2, 1),
            extra=(0, 0, 2),
            neutral=0,
            winners=(2,),
        ),
        course.EmperorPlaced(0, "b1:C1"),
    ]


def test_a_declined_card_is_described_as_declined_and_a_dropped_one_is_not():
    """CC-7.1"""
    state = quiet("b1:1=1 b1:2=1 b1:3=2", cards=[card(2, 2, "b1:C1"), card(1, 6, "b1:C1")])
    happens(state, moves.BuildSingle(0, "b1:4"))
    told = happens(state, moves.DeclineCard(2))
    assert told[:2] == [
        cards.CardUnused(Card(2, 2, "b1:C1"), declined=True),
        cards.CardUnused(Card(1, 6, "b1:C1"), declined=False),
    ]


def test_equal_cards_are_gone_before_any_other_is_used():
    """CC-7.2, CC-6.3: in the order of their numbers, and of the seats among equals."""
    laid = [card(seat, 5, "b1:C1") for seat in (0, 1)] + [card(2, 3, "b1:C1")]
    state = quiet("b1:1=1 b1:2=1 b1:3=2", cards=laid)
    told = happens(state, moves.BuildSingle(0, "b1:4"))
    flood = Card(2, 3, "b1:C1")
    alike = (Card(0, 5, "b1:C1"), Card(1, 5, "b1:C1"))
    assert told[2:] == [
        cards.CardsRevealed("b1:C1", (flood, *alike)),
        cards.CardsCancelled("b1:C1", alike),
    ]
    assert seats_to_move(state) == (2,)


def test_cards_of_other_regions_stay_where_they_are():
    """CC-6.3"""
    state = quiet("b1:1=1 b1:2=1 b1:3=2", cards=[card(2, 3, "b1:C2"), card(1, 5, "b1:C1")])
    told = happens(state, moves.BuildSingle(0, "b1:4"))
    assert only(told, cards.CardsRevealed).cards == (Card(1, 5, "b1:C1"),)
    assert state.laid == (Card(2, 3, "b1:C2"),)


def test_a_double_fills_two_regions_and_both_are_scored():
    """CC-6.2, CC-8.1"""
    state = quiet("b1:1=0 b1:2=0 b1:3=1 b1:6=1 b1:7=1 b1:8=2 b1:9=2")
    assert happens(state, moves.BuildDouble(0, ("b1:4", "b1:5"))) == [
        wall.DoubleBuilt(0, ("b1:4", "b1:5"), regions=("b1:C1", "b1:C2", "b1:M1"), points=3)
    ]
    first, second = (
        cards.RegionScored(
            region=region,
            size=size,
            ruins=0,
            prestige=prestige,
            change=0,
            value=size + prestige,
            walls=walls,
            extra=(0, 0, 0),
            neutral=0,
            winners=winners,
        )
        for region, size, prestige, walls, winners in (
            ("b1:C1", 4, 2, (3, 1, 0), (0,)),
            ("b1:C2", 5, 3, (1, 2, 2), (1, 2)),
        )
    )
    assert happens(state, moves.ScoreFirst(0, "b1:C1")) == [
        cards.ScoringBegan(0, "b1:C1"),
        first,
        course.EmperorPlaced(0, "b1:C1"),
        cards.ScoringBegan(0, "b1:C2"),
        second,
        course.EmperorPlaced(0, "b1:C2"),
        course.TurnBegan(1),
    ]


def test_a_double_that_fills_only_one_region_asks_nothing():
    """CC-6.1, CC-6.2"""
    state = quiet("b1:1=0 b1:2=0 b1:3=1 b1:7=1")
    told = happens(state, moves.BuildDouble(0, ("b1:4", "b1:5")))
    assert only(told, cards.ScoringBegan) == cards.ScoringBegan(0, "b1:C1")
    assert seats_to_move(state) == (1,)


def test_the_third_emperor_card_and_the_new_board():
    """CC-8.1, CC-8.2, CC-8.3"""
    walls = "b1:1=0 b1:2=0 b1:3=1 b2:1=1 b2:2=1 b2:3=1 b1:10=2 b1:11=2 b1:12=2 b1:13=2"
    state = quiet(walls, emperors=["b2:C1", "b1:C3"])
    told = happens(state, moves.BuildSingle(0, "b1:4"))
    assert told[-1] == course.EmperorPlaced(0, "b1:C1")
    added, tiles = happens(state, moves.ExtendWall(0, "b4", "left"))
    assert added == course.BoardAdded(0, "b4", ("b4", "b1", "b2"))
    assert tiles.board == "b4"
    assert (state.emperors, seats_to_move(state)) == ((), (0,))
    names = [region.name for region in GAME.view(state, None).china]
    assert names[:4] == ["b4:C1", "b4:C2", "b4:C3", "b1:C1"]


def test_a_reservation_ends_with_the_owners_wall_and_not_with_the_first_of_others():
    """CC-5.5"""
    state = quiet("b1:6=0t", reserved={"0": ["b1:5", "b1:7"]}, active=1)
    assert wall.ReservationEnded(0) not in happens(state, moves.BuildSingle(1, "b1:5"))
    happens(state, moves.BuildSingle(1, "b2:1"), moves.BuildTower(2, "b2:5"))
    assert happens(state, moves.BuildSingle(0, "b1:7")) == [
        wall.SingleBuilt(0, "b1:7"),
        wall.ReservationEnded(0),
    ]


def test_a_reservation_ends_when_others_fill_its_last_cell():
    """CC-5.5, CC-5.6: seat 0 has nothing left to build, so the cell is not kept."""
    walls = " ".join(f"b2:{n}=0" for n in range(1, 13)) + " b1:1=0 b1:2=0 b1:12-13=0"
    state = quiet(walls + " b1:6=0t b1:5=1", reserved={"0": ["b1:5", "b1:7"]}, active=1)
    assert happens(state, moves.BuildSingle(1, "b1:7"))[1] == wall.ReservationEnded(0)


def test_a_turn_without_anything_to_do_is_skipped_and_the_next_begins():
    """CC-4.7, CC-3.1"""
    walls = " ".join(f"b2:{n}=1" for n in range(1, 14)) + " b1:1=1 b1:6=1t b1:12-13=1"
    state = quiet(walls, hands=[[1], [], [1]])
    assert happens(state, moves.BuildTower(0, "b1:10"))[1:] == [
        course.TurnSkipped(1),
        course.TurnBegan(2),
    ]


def test_in_the_first_round_each_builds_one_single():
    """CC-3.2: with three players after seat 1 has begun."""
    state = quiet(opening=True, first=1, active=1)
    for seat, cell in ((1, "b1:1"), (2, "b1:2"), (0, "b1:3")):
        told = happens(state, moves.BuildSingle(seat, cell))
        assert told == [wall.SingleBuilt(seat, cell, "CC-3.2"), course.TurnBegan((seat + 1) % 3)]
    happens(state, moves.BuildTower(1, "b2:6"))
    assert seats_to_move(state) == (2,)
