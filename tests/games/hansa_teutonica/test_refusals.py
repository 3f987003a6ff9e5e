"""Refusals of moves: turns and actions, chapters 1 to 5."""

from __future__ import annotations

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
from tests.games.hansa_teutonica.moments import refusal_at
from tests.games.hansa_teutonica.table import COELLEN, DUISBURG, KAMPEN
from tests.support.for_each import for_each

HANNOVER = "bremen--hannover"

REFUSALS: list[tuple[str, Move, str, str, str]] = [
    (
        "turn",
        PlacePiece(0, "trader", ("nowhere", 0)),
        "HT-1.10",
        "no_such_route",
        "There is no route 'nowhere'. Choose one on the map.",
    ),
    (
        "turn",
        SwapOffices(0, "nowhere", 0),
        "HT-1.9",
        "no_such_city",
        "There is no city 'nowhere'. Choose one on the map.",
    ),
    (
        "turn",
        PlacePiece(0, "trader", (KAMPEN, 2)),
        "HT-1.3",
        "no_such_post",
        "Kampen–Osnabrück has posts 0 to 1. Choose one of these.",
    ),
    (
        "turn",
        PlacePiece(0, "trader", (HANNOVER, 2)),
        "HT-1.3",
        "occupied",
        "Bremen–Hannover, post 3 is taken. Choose a free post.",
    ),
    (
        "no actions left",
        TakeIncome(0, 3, 0),
        "HT-3.2",
        "no_action_left",
        "You have no actions left. End your turn or undo.",
    ),
    (
        "no actions left",
        EstablishRoute(0, KAMPEN),
        "HT-3.2",
        "no_action_left",
        "You have no actions left. End your turn or undo.",
    ),
    (
        "turn that is closed",
        TakeIncome(0, 3, 0),
        "HT-11.6",
        "turn_closed",
        "The pawn made its free move. End your turn.",
    ),
    (
        "turn that is closed",
        UseMarker(0, "plus_3_actions"),
        "HT-11.6",
        "turn_closed",
        "The pawn made its free move. End your turn.",
    ),
    (
        "turn",
        StopRemoving(0),
        "HT-3.4",
        "not_now",
        "This is no action now. Choose a post, a route that you hold, or another action.",
    ),
    (
        "moving",
        TakeIncome(0, 3, 0),
        "HT-3.4",
        "unfinished",
        "Put down the pieces in your hand first.",
    ),
    (
        "turn",
        TakeIncome(0, 4, 0),
        "HT-4.1",
        "wrong_number",
        "Take exactly 3 of your pieces.",
    ),
    (
        "turn",
        TakeIncome(0, 99, 0),
        "HT-4.1",
        "not_in_stock",
        "Your stock has 8 traders and 2 merchants. Take no more than that.",
    ),
    (
        "turn with other options",
        TakeIncome(0, 0, 0),
        "HT-4.1",
        "wrong_number",
        "Take 1 to 3 of your pieces.",
    ),
    (
        "extra pieces from the board",
        DeclineBonus(1),
        "HT-3.4",
        "unfinished",
        "Place the displaced piece and its extra pieces first.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "board", "trader", (DUISBURG, 0)),
        "HT-5.4",
        "not_lifted",
        "Name a post to lift from if, and only if, the piece comes from the board.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "displaced", "merchant", (DUISBURG, 0)),
        "HT-5.3",
        "not_displaced",
        "No displaced merchant is waiting. Choose a piece that is.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "supply", "trader", (DUISBURG, 0)),
        "HT-5.4",
        "wrong_source",
        "Take extra pieces from the stock.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "displaced", "trader", (COELLEN, 1)),
        "HT-5.6",
        "same_route",
        "The piece was displaced from Coellen–Warburg. Choose another route.",
    ),
    (
        "displaced trader",
        RelocatePiece(1, "displaced", "trader", (DUISBURG, 0)),
        "HT-5.5",
        "too_far",
        "Choose one of the nearest routes with a free post: Paderborn–Warburg.",
    ),
    (
        "displaced trader after its extra piece",
        RelocatePiece(1, "stock", "trader", ("paderborn--warburg", 1)),
        "HT-5.3",
        "no_extra_left",
        "You cannot place more extra pieces. Choose “done”.",
    ),
    (
        "displaced trader",
        DeclineExtras(1),
        "HT-5.8",
        "must_place",
        "Place the displaced trader first.",
    ),
    (
        "turn",
        PutPiece(0, 0, "trader", (DUISBURG, 0)),
        "HT-3.4",
        "not_now",
        "This is no action now. Choose a post, a route that you hold, or another action.",
    ),
    (
        "turn",
        LiftPiece(0, (HANNOVER, 0)),
        "HT-4.4",
        "not_your_piece",
        "You can move only your own pieces. Choose one of them.",
    ),
    (
        "turn",
        LiftPiece(0, (DUISBURG, 0)),
        "HT-4.4",
        "nothing_there",
        "There is no piece on this post. Choose a post with a piece.",
    ),
    (
        "moving",
        PutPiece(0, 9, "trader", (DUISBURG, 0)),
        "HT-4.4",
        "not_held",
        "There is no seat 9. Choose a seat at this table.",
    ),
    (
        "moving",
        PutPiece(0, 1, "trader", (DUISBURG, 0)),
        "HT-4.4",
        "not_held",
        "You have no trader of seat 2 in your hand. Choose one that you hold.",
    ),
    (
        "moving by a marker",
        LiftPiece(0, (KAMPEN, 0)),
        "HT-13.4",
        "own_piece",
        "The marker moves only other players' pieces. Choose a piece of another player.",
    ),
    (
        "turn",
        DisplacePiece(0, "trader", (KAMPEN, 0), 1, 0),
        "HT-4.3",
        "no_opponent",
        "There is no opponent's piece on this post. Choose a post with one.",
    ),
    (
        "turn",
        DisplacePiece(0, "trader", (HANNOVER, 1), 1, 0),
        "HT-5.1",
        "wrong_payment",
        "Displacing a merchant costs 2 more from your supply.",
    ),
    (
        "turn",
        DisplacePiece(0, "trader", (HANNOVER, 0), 2, 0),
        "HT-4.3",
        "not_in_supply",
        "Your supply has only 2 traders and 1 merchant. Pay with those, or choose another post.",
    ),
]


@for_each(("name", "move", "rule", "fault", "reason"), REFUSALS)
def test_a_refusal_names_its_rule_and_says_why(name, move, rule, fault, reason):
    assert refusal_at(name, move) == (rule, fault, reason)
