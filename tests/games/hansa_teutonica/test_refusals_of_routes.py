"""What a player is told when a move is refused: routes and markers, chapters 6 and 8."""

from __future__ import annotations

import pytest

from domain.engine.play import Move
from domain.games.hansa_teutonica.moves import (
    EstablishRoute,
    ImproveAbility,
    OpenExtraOffice,
    OpenOffice,
    PlaceMarker,
    RemovePiece,
    StopRemoving,
    SwapOffices,
    TakeSpecialPrestige,
    UseImprovement,
    UseMarker,
)
from tests.games.hansa_teutonica.moments import told_at
from tests.games.hansa_teutonica.table import COELLEN, DUISBURG, KAMPEN

REFUSALS: list[tuple[str, Move, str, str, str]] = [
    (
        "turn",
        EstablishRoute(0, DUISBURG),
        "HT-6.1",
        "not_all_yours",
        "Not all posts of Dortmund-Duisburg are yours.",
    ),
    (
        "turn",
        OpenOffice(0, KAMPEN, "bremen"),
        "HT-6.6",
        "not_an_end",
        "Bremen is no end of this route.",
    ),
    (
        "complete city",
        OpenOffice(0, DUISBURG, "duisburg"),
        "HT-6.8",
        "city_complete",
        "Duisburg has no free office.",
    ),
    (
        "turn",
        ImproveAbility(0, KAMPEN, "kampen", "keys"),
        "HT-6.9",
        "no_ability_city",
        "Kampen improves no ability.",
    ),
    (
        "ability",
        ImproveAbility(0, "gottingen--quedlinburg", "gottingen", "keys"),
        "HT-6.9",
        "other_ability",
        "Göttingen improves actions.",
    ),
    (
        "any ability",
        ImproveAbility(0, "gottingen--quedlinburg", "gottingen", "bag"),
        "HT-6.9",
        "ability_complete",
        "Your bag cannot be improved any further.",
    ),
    (
        "turn",
        TakeSpecialPrestige(0, KAMPEN, 0),
        "HT-6.10",
        "other_route",
        "Special prestige needs the route Coellen-Warburg.",
    ),
    (
        "special prestige",
        TakeSpecialPrestige(0, COELLEN, 4),
        "HT-6.10",
        "no_such_space",
        "The spaces are 0 to 3.",
    ),
    (
        "special prestige",
        TakeSpecialPrestige(0, COELLEN, 0),
        "HT-6.10",
        "occupied",
        "A merchant stands on this space.",
    ),
    (
        "special prestige",
        TakeSpecialPrestige(0, COELLEN, 3),
        "HT-6.10",
        "no_privilege",
        "You have not uncovered black in your privilege.",
    ),
    (
        "ability",
        UseMarker(0, "plus_3_actions"),
        "HT-8.1",
        "no_such_marker",
        "You have no marker plus 3 actions that lies face up.",
    ),
    (
        "turn",
        UseMarker(0, "swap_offices"),
        "HT-8.1",
        "used_otherwise",
        "A marker swap offices is used in another way.",
    ),
    (
        "special prestige",
        OpenExtraOffice(0, COELLEN, "coellen", "trader"),
        "HT-8.3",
        "city_empty",
        "The leftmost office of Coellen is still free.",
    ),
    (
        "turn",
        SwapOffices(0, "kampen", 0),
        "HT-8.4",
        "not_occupied",
        "Both offices must be occupied.",
    ),
    (
        "turn",
        SwapOffices(0, "kampen", 1),
        "HT-8.4",
        "no_neighbours",
        "Kampen has no such neighbouring offices.",
    ),
    (
        "turn with other options",
        SwapOffices(0, "osnabruck", 1),
        "HT-8.4",
        "not_occupied",
        "Both offices must be occupied.",
    ),
    (
        "removing",
        RemovePiece(0, (DUISBURG, 0)),
        "HT-8.5",
        "nothing_there",
        "No piece stands on this post.",
    ),
    ("removing", StopRemoving(0), "HT-8.5", "must_remove", "At least one piece must be taken."),
    (
        "laying out",
        PlaceMarker(0, "remove_three", "bremen--minden"),
        "HT-8.9",
        "not_drawn",
        "You have drawn no marker remove three.",
    ),
    (
        "laying out",
        PlaceMarker(0, "swap_offices", KAMPEN),
        "HT-8.9",
        "marker_there",
        "A marker lies on Kampen-Osnabrück already.",
    ),
    (
        "ability",
        UseImprovement(0, "bag"),
        "HT-8.1",
        "no_such_marker",
        "You have no marker improve ability that lies face up.",
    ),
]


@pytest.mark.parametrize(("name", "move", "rule", "fault", "reason"), REFUSALS)
def test_a_refusal_about_a_route_or_a_marker_names_its_rule_and_says_why(
    name, move, rule, fault, reason
):
    assert told_at(name, move) == (rule, fault, reason)
