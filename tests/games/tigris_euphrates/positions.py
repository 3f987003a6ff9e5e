"""Positions of Tigris & Euphrates as JSON, some in the middle of a conflict."""

from __future__ import annotations

from typing import Any

from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import CommitTiles, PlaceLeader, PlaceTile
from domain.games.tigris_euphrates.state.setup import Options
from tests.games.tigris_euphrates.table import did, hands, table

SETUP = GAME.setup(Options(), 2)
LAST = {
    "kind": "revolt",
    "color": "black",
    "winner": 0,
    "loser": 1,
    "attacker": 0,
    "attacker_total": 2,
    "defender_total": 1,
    "points": 1,
}
"""A conflict that is over, as a position has it."""


def read(**position: Any) -> Any:
    """The table of two that this position describes."""
    return GAME.read_position(SETUP, position, 2)


def at_war() -> Any:
    """Two kings are at war, and the attacker has committed a tile."""
    state = table(
        tiles={"G3": "black", "H3": "black", "J3": "black", "K3": "black", "L3": "red"},
        leaders=({"black": "F4"}, {"black": "L4"}),
        hands=hands("gk", "k"),
    )
    return did(state, PlaceTile(0, "green", "I3"), CommitTiles(0, 1))


def revolt() -> dict[str, Any]:
    """The conflict of two kings, as a position has it."""
    state = did(table(leaders=({}, {"black": "F4"})), PlaceLeader(0, "black", "F2"))
    return GAME.write_position(state)


def conflict(**changes: Any) -> dict[str, Any]:
    """The position with these changes to its conflict."""
    position = revolt()
    for step in position["agenda"]:
        if "conflict" in step:
            step["conflict"].update(changes)
    return position


def war(*without: str, **changes: Any) -> dict[str, Any]:
    """A position in the middle of a war, with these changes."""
    position = {**GAME.write_position(at_war()), **changes}
    position["agenda"] = [step for step in position["agenda"] if step["type"] not in without]
    return position
