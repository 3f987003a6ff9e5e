"""What a player is told when a move is refused: the pawn and further maps, chapters 11 and 14."""

from __future__ import annotations

import pytest

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
from tests.games.hansa_teutonica.moments import VISBY, told_at

REFUSALS: list[tuple[str, Move, str, str, str]] = [
    ("turn", MovePawn(0, "P01"), "HT-11.1", "no_pawn", "There is no pawn in this game."),
    ("pawn", MovePawn(0, "P17"), "HT-11.2", "no_such_province", "There is no province 'P17'."),
    (
        "placing the pawn",
        PawnToStart(0, "P17"),
        "HT-11.2",
        "no_such_province",
        "There is no province 'P17'.",
    ),
    (
        "placing the pawn",
        TakeIncome(0, 3, 0),
        "HT-11.3",
        "pawn_first",
        "Before the first turn you put the pawn into a province.",
    ),
    (
        "pawn",
        PlacePiece(0, "trader", ("emden--groningen", 0)),
        "HT-11.4",
        "outside_province",
        "Emden-Groningen does not touch the province Eastern rim, where the pawn stands.",
    ),
    (
        "pawn",
        MovePawn(0, "P01"),
        "HT-11.6",
        "too_far",
        "North Sea coast is more than two borders away.",
    ),
    (
        "pawn",
        MovePawn(0, "P16"),
        "HT-11.6",
        "already_there",
        "The pawn stands in Eastern rim already.",
    ),
    (
        "pawn",
        SendPawn(0, "P16"),
        "HT-11.7",
        "already_there",
        "The pawn stands in Eastern rim already.",
    ),
    (
        "pawn after its free move",
        MovePawn(0, "P16"),
        "HT-11.6",
        "pawn_moved",
        "The pawn has had its free move in this turn.",
    ),
    (
        "turn in the east",
        PlacePiece(0, "trader", (VISBY, 1)),
        "HT-14.1",
        "only_merchants",
        "Only merchants may stand on this post.",
    ),
    ("moving", DeclineBonus(0), "HT-14.4", "no_bonus", "This is no permanent bonus."),
    (
        "redeploying",
        DeployPiece(0, "supply", "trader", (VISBY, 0)),
        "HT-14.7",
        "wrong_source",
        "These pieces come from the stock now.",
    ),
    (
        "green office",
        OpenGreenOffice(0, "danzig", "trader"),
        "HT-14.8",
        "not_green",
        "Danzig is no green city.",
    ),
    (
        "placing in Wales",
        DeployPiece(0, "stock", "trader", ("durham--york", 0)),
        "HT-14.9",
        "in_england",
        "These pieces go to Wales or Scotland.",
    ),
    (
        "placing in Wales",
        DeployPiece(0, "supply", "trader", ("conway--montgomery", 0)),
        "HT-14.9",
        "wrong_source",
        "These pieces come from the stock now.",
    ),
    (
        "moving out of Wales",
        PutPiece(0, 0, "merchant", ("conway--montgomery", 0), "England"),
        "HT-14.13",
        "wrong_country",
        "No merchant that you hold may go to Wales.",
    ),
]


@pytest.mark.parametrize(("name", "move", "rule", "fault", "reason"), REFUSALS)
def test_a_refusal_about_the_pawn_or_a_bonus_names_its_rule_and_says_why(
    name, move, rule, fault, reason
):
    assert told_at(name, move) == (rule, fault, reason)
