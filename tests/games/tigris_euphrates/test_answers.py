"""The table of answers: the steps, the moves that answer them, and the refusals of other moves."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import RuleBroken
from domain.engine.game import judge, legal_moves, seats_to_move
from domain.games.tigris_euphrates import GAME, moves
from domain.games.tigris_euphrates.state import steps
from tests.games.seen import why
from tests.games.tigris_euphrates.table import did, hands, table
from tests.support.for_each import for_each

SIDES = {"G3": "black", "H3": "black", "J3": "black", "K3": "black", "L3": "red"}


def turn() -> Any:
    """Seat 0 has both actions, all kinds of tiles, and a king on the board."""
    return table(hands=hands("kkrrgb", ""), leaders=({"black": "F2"}, {}))


def swap() -> Any:
    """Seat 0 has put a tile away."""
    return did(turn(), moves.DiscardTile(0, "black"))


def reinforce() -> Any:
    """Seat 0 has begun a revolt."""
    state = table(leaders=({}, {"black": "F4"}), hands=hands("rr", ""))
    return did(state, moves.PlaceLeader(0, "black", "F2"))


def choose_war() -> Any:
    """Seat 0 has united kings and priests of both seats."""
    leaders = ({"black": "F4", "red": "F2"}, {"black": "L4", "red": "L2"})
    state = table(tiles=SIDES, leaders=leaders, hands=hands("g", ""))
    return did(state, moves.PlaceTile(0, "green", "I3"))


def offer_monument() -> Any:
    """Seat 0 has completed a square of markets on G5."""
    state = table(tiles={"G5": "green", "H5": "green", "G6": "green"}, hands=hands("g", ""))
    return did(state, moves.PlaceTile(0, "green", "H6"))


def choose_treasure() -> Any:
    """The treasures of F3 and I7 are in the kingdom of a trader of seat 0."""
    path = {"G3": "black", "G4": "black", "H4": "black", "I4": "black", "I5": "black", "I6": "red"}
    return did(table(tiles=path, leaders=({}, {})), moves.PlaceLeader(0, "green", "F2"))


WAITING = {
    steps.Turn: turn,
    steps.Swap: swap,
    steps.Reinforce: reinforce,
    steps.ChooseWar: choose_war,
    steps.OfferMonument: offer_monument,
    steps.ChooseTreasure: choose_treasure,
}
ANSWERS = {
    steps.Turn: {
        moves.PlaceTile,
        moves.PlaceLeader,
        moves.WithdrawLeader,
        moves.PlaceCatastrophe,
        moves.DiscardTile,
        moves.Pass,
    },
    steps.Swap: {moves.DiscardTile, moves.DrawTiles},
    steps.Reinforce: {moves.CommitTiles},
    steps.ChooseWar: {moves.ChooseColor},
    steps.OfferMonument: {moves.BuildMonument, moves.DeclineMonument},
    steps.ChooseTreasure: {moves.LeaveTreasure},
}
REFUSALS = {
    steps.Turn: ("TE-3.1", "no_such_decision", "Take an action."),
    steps.Swap: ("TE-8.1", "decision_pending", "Discard another tile, or draw."),
    steps.Reinforce: ("TE-9.3", "decision_pending", "Commit tiles to the conflict, or none."),
    steps.ChooseWar: ("TE-11.3", "decision_pending", "Choose which war is fought next."),
    steps.OfferMonument: ("TE-12.2", "decision_pending", "Build a monument, or decline."),
    steps.ChooseTreasure: ("TE-13.2", "decision_pending", "Choose which treasure to leave."),
}
SOME = {
    type(move): move
    for move in (
        moves.PlaceLeader(0, "red", "N6"),
        moves.WithdrawLeader(0, "black"),
        moves.PlaceTile(0, "red", "A1"),
        moves.PlaceCatastrophe(0, "A1"),
        moves.DiscardTile(0, "red"),
        moves.DrawTiles(0),
        moves.Pass(0),
        moves.ChooseColor(0, "red"),
        moves.CommitTiles(0, 0),
        moves.BuildMonument(0, "red-green", "G5"),
        moves.DeclineMonument(0),
        moves.LeaveTreasure(0, "F3"),
    )
}
EACH_STEP = pytest.mark.parametrize("step", WAITING, ids=lambda step: step.__name__)
EACH_MOVE = pytest.mark.parametrize("kind", SOME, ids=lambda kind: kind.__name__)


def test_all_steps_and_moves_are_in_the_tables_of_this_test():
    assert set(GAME.answers.fallbacks) == set(WAITING) == set(ANSWERS) == set(REFUSALS)
    assert set(GAME.answers.moves) == set(SOME)
    assert {chore.step for chore in GAME.answers.automatic_steps} == {
        steps.FindWars,
        steps.Resolve,
        steps.FindSquares,
        steps.ServeTraders,
        steps.EndTurn,
    }


@EACH_STEP
def test_each_step_waits_for_the_moves_that_answer_it(step):
    """TE-3.1, TE-8.1, TE-9.3, TE-11.3, TE-12.2, TE-13.2"""
    state = WAITING[step]()
    assert type(state.agenda[-1]) is step
    assert seats_to_move(state) == (0,)
    assert set(GAME.answers.moves_for(step)) == ANSWERS[step]
    assert {type(move) for move in legal_moves(GAME, state, 0)} == ANSWERS[step]


@EACH_STEP
@EACH_MOVE
def test_any_other_move_is_refused_in_the_words_of_the_step(step, kind):
    """TE-3.1, TE-3.3, TE-5.8, TE-8.1, TE-9.3, TE-11.3, TE-12.2, TE-13.2"""
    state = WAITING[step]()
    if kind in ANSWERS[step]:
        judge(GAME, state, SOME[kind])
        return
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, state, SOME[kind])
    told = refused.value
    assert (told.rule, told.fault, why(GAME, told)) == REFUSALS[step]


BROKEN: dict[str, tuple[Any, Any, tuple[str, str, str]]] = {
    "a cell beyond the edge": (
        turn,
        moves.PlaceTile(0, "red", "Q1"),
        ("TE-1.1", "off_board", "There is no cell 'Q1' on the board. Choose a cell on it."),
    ),
    "a row that does not exist": (
        turn,
        moves.PlaceCatastrophe(0, "A12"),
        ("TE-1.1", "off_board", "There is no cell 'A12' on the board. Choose a cell on it."),
    ),
    "a leader where it is": (
        turn,
        moves.PlaceLeader(0, "black", "F2"),
        ("TE-5.5", "leader_same_space", "The king is already at F2. Choose another cell."),
    ),
    "a leader on a river": (
        turn,
        moves.PlaceLeader(0, "green", "E3"),
        ("TE-5.2", "leader_on_river", "E3 is river. Place leaders on land."),
    ),
    "a leader on another": (
        turn,
        moves.PlaceLeader(0, "red", "F2"),
        ("TE-5.2", "space_not_empty", "F2 is not empty. Choose an empty cell."),
    ),
    "a leader without a temple": (
        turn,
        moves.PlaceLeader(0, "red", "A11"),
        (
            "TE-5.3",
            "leader_needs_temple",
            "There is no temple next to A11. Place leaders next to a temple.",
        ),
    ),
    "a leader that is not there": (
        turn,
        moves.WithdrawLeader(0, "blue"),
        ("TE-5.1", "leader_not_on_board", "Your farmer is not on the board. Choose one that is."),
    ),
    "a tile that is not in hand": (
        lambda: table(hands=hands("r", "")),
        moves.PlaceTile(0, "green", "A1"),
        ("TE-6.1", "tile_not_in_hand", "You have no market. Choose a tile from your hand."),
    ),
    "a tile on another": (
        turn,
        moves.PlaceTile(0, "red", "F3"),
        ("TE-6.1", "space_not_empty", "F3 is not empty. Choose an empty cell."),
    ),
    "a farm on land": (
        turn,
        moves.PlaceTile(0, "blue", "A1"),
        ("TE-6.2", "farm_only_on_river", "A1 is land. Place farms on the river."),
    ),
    "a settlement on a river": (
        turn,
        moves.PlaceTile(0, "black", "E1"),
        ("TE-6.2", "river_only_farms", "E1 is river. Only farms go there."),
    ),
    "a catastrophe on a leader": (
        turn,
        moves.PlaceCatastrophe(0, "F2"),
        (
            "TE-7.1",
            "catastrophe_on_leader",
            "A leader stands at F2. Choose a cell without a leader.",
        ),
    ),
    "a catastrophe on a treasure": (
        turn,
        moves.PlaceCatastrophe(0, "F3"),
        (
            "TE-7.1",
            "catastrophe_on_treasure",
            "A treasure lies at F3. Choose a cell without a treasure.",
        ),
    ),
    "a third catastrophe": (
        lambda: table(catastrophes_left=[0, 2]),
        moves.PlaceCatastrophe(0, "A1"),
        (
            "TE-7.1",
            "no_catastrophe_left",
            "You have no catastrophe tiles left. Choose another action.",
        ),
    ),
    "a catastrophe on a monument": (
        lambda: table(monuments={"black-red": "H8"}),
        moves.PlaceCatastrophe(0, "I9"),
        (
            "TE-7.1",
            "catastrophe_on_monument",
            "A monument stands at I9. Choose a cell without a monument.",
        ),
    ),
    "a catastrophe on another": (
        lambda: table(catastrophes=["A1"]),
        moves.PlaceCatastrophe(0, "A1"),
        (
            "TE-7.1",
            "catastrophe_on_catastrophe",
            "A1 already has a catastrophe tile. Choose another cell.",
        ),
    ),
    "to discard what is not in hand": (
        lambda: did(table(hands=hands("rr", "")), moves.DiscardTile(0, "red")),
        moves.DiscardTile(0, "blue"),
        ("TE-8.1", "tile_not_in_hand", "You have no farm. Choose a tile from your hand."),
    ),
    "to commit more than is held": (
        reinforce,
        moves.CommitTiles(0, 3),
        ("TE-9.3", "tile_not_in_hand", "Commit at most 2 of your red tiles, not 3."),
    ),
    "a war over nothing": (
        choose_war,
        moves.ChooseColor(0, "green"),
        (
            "TE-11.3",
            "color_not_contested",
            "There is no war over green. Choose one of the wars to be fought.",
        ),
    ),
    "a monument elsewhere": (
        offer_monument,
        moves.BuildMonument(0, "red-green", "H6"),
        (
            "TE-12.2",
            "not_a_square",
            "H6 does not complete a square of green tiles. Choose a square of four.",
        ),
    ),
    "a monument of other colours": (
        offer_monument,
        moves.BuildMonument(0, "black-red", "G5"),
        (
            "TE-12.2",
            "monument_not_available",
            "The black and red monument is already built or has no green. Choose another monument.",
        ),
    ),
    "to leave another treasure": (
        choose_treasure,
        moves.LeaveTreasure(0, "K1"),
        ("TE-13.2", "not_a_choice", "Leave one of these treasures: F3 and I7."),
    ),
}


@for_each("case", BROKEN.values())
def test_a_refusal_names_the_rule_and_says_why(case):
    """TE-1.1, TE-5.2, TE-5.5, TE-6.1, TE-6.2, TE-7.1, TE-8.1, TE-9.3, TE-11.3, TE-12.2, TE-13.2"""
    setting, move, told = case
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, setting(), move)
    assert (refused.value.rule, refused.value.fault, why(GAME, refused.value)) == told


CORNER = {"tiles": {"H4": "red", "G6": "red", "I6": "red"}, "hands": hands("g", "")}


def crossroads() -> Any:
    """Three kingdoms meet around H6."""
    return table(leaders=({"black": "H5"}, {"green": "F6", "red": "J6"}), **CORNER)


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (
            moves.PlaceTile(0, "green", "H6"),
            (
                "TE-6.3",
                "unites_three_kingdoms",
                "H6 is next to three kingdoms. A tile may unite only two. Choose another cell.",
            ),
        ),
        (
            moves.PlaceLeader(0, "blue", "G5"),
            (
                "TE-5.4",
                "leader_unites_kingdoms",
                "A leader at G5 would unite kingdoms. Choose another cell.",
            ),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_too_many_kingdoms_are_refused(move, told):
    """TE-5.4, TE-6.3"""
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, crossroads(), move)
    assert (refused.value.rule, refused.value.fault, why(GAME, refused.value)) == told


def test_the_cell_is_looked_up_before_the_hand_and_the_supply():
    """TE-1.1"""
    poor = table(catastrophes_left=[0, 0])
    for move in (moves.PlaceTile(0, "red", "Z9"), moves.PlaceCatastrophe(0, "Z9")):
        with pytest.raises(RuleBroken) as refused:
            judge(GAME, poor, move)
        assert refused.value.fault == "off_board"
