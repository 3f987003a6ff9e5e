"""Refusals of moves: routes and markers, chapters 6 and 8."""

from __future__ import annotations

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
from tests.games.hansa_teutonica.moments import refusal_at
from tests.games.hansa_teutonica.table import COELLEN, DUISBURG, KAMPEN
from tests.support.for_each import for_each

REFUSALS: list[tuple[str, Move, str, str, str]] = [
    (
        "turn",
        EstablishRoute(0, DUISBURG),
        "HT-6.1",
        "not_all_yours",
        "You do not hold all posts of Dortmund–Duisburg. Fill them first.",
    ),
    (
        "turn",
        OpenOffice(0, KAMPEN, "bremen"),
        "HT-6.6",
        "not_an_end",
        "Bremen is not an end of this route. Choose a city at one of its ends.",
    ),
    (
        "complete city",
        OpenOffice(0, DUISBURG, "duisburg"),
        "HT-6.8",
        "city_complete",
        "Duisburg has no free office. Choose another city.",
    ),
    (
        "turn",
        ImproveAbility(0, KAMPEN, "kampen", "keys"),
        "HT-6.9",
        "no_ability_city",
        "Kampen improves no ability. Choose another city.",
    ),
    (
        "ability",
        ImproveAbility(0, "gottingen--quedlinburg", "gottingen", "keys"),
        "HT-6.9",
        "other_ability",
        "Göttingen improves only actions.",
    ),
    (
        "any ability",
        ImproveAbility(0, "gottingen--quedlinburg", "gottingen", "bag"),
        "HT-6.9",
        "ability_complete",
        "Your bag is at its highest level. Choose another ability.",
    ),
    (
        "turn",
        TakeSpecialPrestige(0, KAMPEN, 0),
        "HT-6.10",
        "other_route",
        "Special prestige needs the route Coellen–Warburg.",
    ),
    (
        "special prestige",
        TakeSpecialPrestige(0, COELLEN, 4),
        "HT-6.10",
        "no_such_space",
        "Choose a space from 0 to 3.",
    ),
    (
        "special prestige",
        TakeSpecialPrestige(0, COELLEN, 0),
        "HT-6.10",
        "occupied",
        "This space is taken. Choose a free one.",
    ),
    (
        "special prestige",
        TakeSpecialPrestige(0, COELLEN, 3),
        "HT-6.10",
        "no_privilege",
        "The next office needs the black privilege. Improve your privilege first.",
    ),
    (
        "ability",
        UseMarker(0, "plus_3_actions"),
        "HT-8.1",
        "no_such_marker",
        "You have no unused +3 actions marker. Choose one that lies face up before you.",
    ),
    (
        "turn",
        UseMarker(0, "swap_offices"),
        "HT-8.1",
        "used_otherwise",
        "The swap offices marker is used in another way. Choose it, then what you use it on.",
    ),
    (
        "special prestige",
        OpenExtraOffice(0, COELLEN, "coellen", "trader"),
        "HT-8.3",
        "city_empty",
        "The first office in Coellen is still free. Open that one first.",
    ),
    (
        "turn",
        SwapOffices(0, "kampen", 0),
        "HT-8.4",
        "not_occupied",
        "Both offices must be taken. Choose two taken offices.",
    ),
    (
        "turn",
        SwapOffices(0, "kampen", 1),
        "HT-8.4",
        "no_neighbours",
        "Kampen has no two neighbouring offices there. Choose two offices side by side.",
    ),
    (
        "turn with other options",
        SwapOffices(0, "osnabruck", 1),
        "HT-8.4",
        "not_occupied",
        "Both offices must be taken. Choose two taken offices.",
    ),
    (
        "removing",
        RemovePiece(0, (DUISBURG, 0)),
        "HT-8.5",
        "nothing_there",
        "There is no piece on this post. Choose a post with a piece.",
    ),
    ("removing", StopRemoving(0), "HT-8.5", "must_remove", "Remove at least one piece."),
    (
        "laying out",
        PlaceMarker(0, "remove_three", "bremen--minden"),
        "HT-8.9",
        "not_drawn",
        "You did not draw a remove three marker. Choose one that you drew.",
    ),
    (
        "laying out",
        PlaceMarker(0, "swap_offices", KAMPEN),
        "HT-8.9",
        "marker_there",
        "There is already a marker on Kampen–Osnabrück. Choose another route.",
    ),
    (
        "ability",
        UseImprovement(0, "bag"),
        "HT-8.1",
        "no_such_marker",
        "You have no unused improve ability marker. Choose one that lies face up before you.",
    ),
]


@for_each(("name", "move", "rule", "fault", "reason"), REFUSALS)
def test_a_refusal_about_a_route_or_a_marker_names_its_rule_and_says_why(
    name, move, rule, fault, reason
):
    assert refusal_at(name, move) == (rule, fault, reason)
