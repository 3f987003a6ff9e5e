"""Refusals of moves: the pawn and further maps, chapters 11 and 14."""

from __future__ import annotations

from domain.engine.play import Move
from domain.games.hansa_teutonica.moves import (
    DeclineBonus,
    DeployPiece,
    MovePawn,
    OpenGreenOffice,
    PawnToStart,
    PlacePiece,
    PutPiece,
    SendPawn,
    TakeIncome,
)
from tests.games.hansa_teutonica.moments import VISBY, refusal_at
from tests.support.for_each import for_each

REFUSALS: list[tuple[str, Move, str, str, str]] = [
    (
        "turn",
        MovePawn(0, "P01"),
        "HT-11.1",
        "no_pawn",
        "This game has no pawn. Choose another action.",
    ),
    (
        "pawn",
        MovePawn(0, "P17"),
        "HT-11.2",
        "no_such_province",
        "There is no province 'P17'. Choose one on the map.",
    ),
    (
        "placing the pawn",
        PawnToStart(0, "P17"),
        "HT-11.2",
        "no_such_province",
        "There is no province 'P17'. Choose one on the map.",
    ),
    (
        "placing the pawn",
        TakeIncome(0, 3, 0),
        "HT-11.3",
        "pawn_first",
        "Place the pawn in a province first.",
    ),
    (
        "pawn",
        PlacePiece(0, "trader", ("emden--groningen", 0)),
        "HT-11.4",
        "outside_province",
        "Emden–Groningen does not touch Eastern rim, where the pawn stands."
        " Choose a route that does, or move the pawn.",
    ),
    (
        "pawn",
        MovePawn(0, "P01"),
        "HT-11.6",
        "too_far",
        "North Sea coast is more than two borders away. Choose a nearer province.",
    ),
    (
        "pawn",
        MovePawn(0, "P16"),
        "HT-11.6",
        "already_there",
        "The pawn is already in Eastern rim. Choose another province.",
    ),
    (
        "pawn",
        SendPawn(0, "P16"),
        "HT-11.7",
        "already_there",
        "The pawn is already in Eastern rim. Choose another province.",
    ),
    (
        "pawn after its free move",
        MovePawn(0, "P16"),
        "HT-11.6",
        "pawn_moved",
        "You already made the free pawn move this turn. Choose another action, or move it for one.",
    ),
    (
        "turn in the east",
        PlacePiece(0, "trader", (VISBY, 1)),
        "HT-14.1",
        "only_merchants",
        "This post is for merchants only. Use a merchant.",
    ),
    (
        "moving",
        DeclineBonus(0),
        "HT-14.4",
        "no_bonus",
        "This is not a permanent bonus. Choose another use of the route.",
    ),
    (
        "redeploying",
        DeployPiece(0, "supply", "trader", (VISBY, 0)),
        "HT-14.7",
        "wrong_source",
        "Take these pieces from the stock.",
    ),
    (
        "green office",
        OpenGreenOffice(0, "danzig", "trader"),
        "HT-14.8",
        "not_green",
        "Danzig is not a green city. Choose a green city.",
    ),
    (
        "placing in Wales",
        DeployPiece(0, "stock", "trader", ("durham--york", 0)),
        "HT-14.9",
        "in_england",
        "Place these pieces in Wales or Scotland.",
    ),
    (
        "placing in Wales",
        DeployPiece(0, "supply", "trader", ("conway--montgomery", 0)),
        "HT-14.9",
        "wrong_source",
        "Take these pieces from the stock.",
    ),
    (
        "moving out of Wales",
        PutPiece(0, 0, "merchant", ("conway--montgomery", 0), "England"),
        "HT-14.13",
        "wrong_country",
        "No merchant in your hand may go to Wales. Choose another post.",
    ),
]


@for_each(("name", "move", "rule", "fault", "reason"), REFUSALS)
def test_a_refusal_about_the_pawn_or_a_bonus_names_its_rule_and_says_why(
    name, move, rule, fault, reason
):
    assert refusal_at(name, move) == (rule, fault, reason)
