"""What a player is told when a move is refused: turns and actions, chapters 1 to 5."""

from __future__ import annotations

import pytest

from domain.engine.play import Move
from domain.games.hansa_teutonica.moves import (
    DeclineBonus,
    DeclineExtras,
    DisplacePiece,
    EstablishRoute,
    LiftPiece,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    StopRemoving,
    SwapOffices,
    TakeIncome,
    UseMarker,
)
from tests.games.hansa_teutonica.moments import told_at
from tests.games.hansa_teutonica.table import COELLEN, DUISBURG, KAMPEN

HANNOVER = "bremen--hannover"

REFUSALS: list[tuple[str, Move, str, str, str]] = [
    (
        "turn",
        PlacePiece(0, "trader", ("nowhere", 0)),
        "HT-1.10",
        "no_such_route",
        "There is no route 'nowhere'.",
    ),
    ("turn", SwapOffices(0, "nowhere", 0), "HT-1.9", "no_such_city", "There is no city 'nowhere'."),
    (
        "turn",
        PlacePiece(0, "trader", (KAMPEN, 2)),
        "HT-1.3",
        "no_such_post",
        "Kampen-Osnabrück has posts 0 to 1.",
    ),
    (
        "turn",
        PlacePiece(0, "trader", (HANNOVER, 2)),
        "HT-1.3",
        "occupied",
        "A piece stands on Bremen-Hannover, post 3.",
    ),
    (
        "no actions left",
        TakeIncome(0, 3, 0),
        "HT-3.2",
        "no_action_left",
        "No action is left in this turn.",
    ),
    (
        "no actions left",
        EstablishRoute(0, KAMPEN),
        "HT-3.2",
        "no_action_left",
        "No action is left in this turn.",
    ),
    (
        "turn that is closed",
        TakeIncome(0, 3, 0),
        "HT-11.6",
        "turn_closed",
        "After the free move of the pawn the turn can only end.",
    ),
    (
        "turn that is closed",
        UseMarker(0, "plus_3_actions"),
        "HT-11.6",
        "turn_closed",
        "After the free move of the pawn the turn can only end.",
    ),
    (
        "turn",
        StopRemoving(0),
        "HT-3.4",
        "not_now",
        "First choose an action: this is done in the course of one.",
    ),
    (
        "moving",
        TakeIncome(0, 3, 0),
        "HT-3.4",
        "unfinished",
        "What was begun must be finished first.",
    ),
    (
        "turn",
        TakeIncome(0, 4, 0),
        "HT-4.1",
        "wrong_number",
        "An income brings you exactly 3 pieces.",
    ),
    (
        "turn",
        TakeIncome(0, 99, 0),
        "HT-4.1",
        "not_in_stock",
        "Your stock has 8 traders and 2 merchants.",
    ),
    (
        "turn with other options",
        TakeIncome(0, 0, 0),
        "HT-4.1",
        "wrong_number",
        "An income brings you 1 to 3 pieces.",
    ),
    (
        "extra pieces from the board",
        DeclineBonus(1),
        "HT-3.4",
        "unfinished",
        "What was begun must be finished first.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "board", "trader", (DUISBURG, 0)),
        "HT-5.4",
        "not_lifted",
        "A piece is lifted if, and only if, it is from the board.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "displaced", "merchant", (DUISBURG, 0)),
        "HT-5.3",
        "not_displaced",
        "No displaced merchant waits for its place.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "supply", "trader", (DUISBURG, 0)),
        "HT-5.4",
        "wrong_source",
        "Extra pieces come from the stock now.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "displaced", "trader", (COELLEN, 1)),
        "HT-5.6",
        "same_route",
        "The piece was displaced from Coellen-Warburg itself.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "displaced", "trader", (DUISBURG, 0)),
        "HT-5.5",
        "too_far",
        "The nearest routes with a free post are: Paderborn-Warburg.",
    ),
    (
        "displaced trader after its extra piece",
        RelocatePiece(1, "stock", "trader", ("paderborn--warburg", 1)),
        "HT-5.3",
        "no_extra_left",
        "You may place no more extra pieces.",
    ),
    (
        "displaced trader",
        DeclineExtras(1),
        "HT-5.8",
        "must_place",
        "The displaced trader must be placed.",
    ),
    (
        "turn",
        PutPiece(0, 0, "trader", (DUISBURG, 0)),
        "HT-3.4",
        "not_now",
        "First choose an action: this is done in the course of one.",
    ),
    (
        "turn",
        LiftPiece(0, (HANNOVER, 0)),
        "HT-4.4",
        "not_your_piece",
        "You may move only your own pieces.",
    ),
    (
        "turn",
        LiftPiece(0, (DUISBURG, 0)),
        "HT-4.4",
        "nothing_there",
        "No piece stands on this post.",
    ),
    (
        "moving",
        PutPiece(0, 9, "trader", (DUISBURG, 0)),
        "HT-4.4",
        "not_held",
        "There is no seat 9.",
    ),
    (
        "moving",
        PutPiece(0, 1, "trader", (DUISBURG, 0)),
        "HT-4.4",
        "not_held",
        "You hold no trader of seat 1.",
    ),
    (
        "moving by a marker",
        LiftPiece(0, (KAMPEN, 0)),
        "HT-13.4",
        "own_piece",
        "The marker moves pieces of other players.",
    ),
    (
        "turn",
        DisplacePiece(0, "trader", (KAMPEN, 0), 1, 0),
        "HT-4.3",
        "no_opponent",
        "No piece of another player stands on this post.",
    ),
    (
        "turn",
        DisplacePiece(0, "trader", (HANNOVER, 1), 1, 0),
        "HT-5.1",
        "wrong_payment",
        "To displace a merchant you pay 2 more.",
    ),
    (
        "turn",
        DisplacePiece(0, "trader", (HANNOVER, 0), 2, 0),
        "HT-4.3",
        "not_in_supply",
        "Your supply has 2 traders and 1 merchant.",
    ),
]


@pytest.mark.parametrize(("name", "move", "rule", "fault", "reason"), REFUSALS)
def test_a_refusal_names_its_rule_and_says_why(name, move, rule, fault, reason):
    assert told_at(name, move) == (rule, fault, reason)
