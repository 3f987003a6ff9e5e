"""Joining areas: which areas may be joined, and who owns the result. Chapters 6 and 14."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from domain.engine.answers import Fallback
from domain.games.qin.board import MAJOR
from domain.games.qin.state.table import NOBODY, RUINED, State


class Forbidden(NamedTuple):
    """Why areas may not be joined; for a tie, the number of spaces of the tied players."""

    refusal: Fallback
    spaces: int = 0


RUINS_APART = Forbidden(Fallback("QIN-14.3", "joins_ruined"))
MAJORS_APART = Forbidden(Fallback("QIN-6.1", "joins_majors"))
TIED = Fallback("QIN-6.4", "tied_absorb")


def heir(state: State, areas: Collection[int]) -> int | Forbidden:
    """The owner of these areas of one colour after a tile joins them, or why it may not join them.

    `areas` holds at least one province or ruined area; the owner is seat + 1, or RUINED. The result
    does not depend on who places the tile: QIN-5.5, QIN-6.1, QIN-6.2, QIN-6.6, QIN-6.7, QIN-14.1,
    QIN-14.2, QIN-14.3.
    """
    owners = [state.owners[area] for area in areas]
    if RUINED in owners:
        return RUINED if set(owners) == {RUINED} else RUINS_APART
    majors = [area for area in areas if state.sizes[area] >= MAJOR]
    if len(majors) > 1:
        return MAJORS_APART if state.setup.joining_majors == "forbidden" else RUINED
    return state.owners[majors[0]] if majors else _strongest(state, areas)


def find_obstacle(state: State, colour: int, around: Iterable[int]) -> Forbidden | None:
    """Why a tile may not join the areas of its colour around it, or None if it may: QIN-4.7.

    A tile rarely meets two areas, so most calls return after the first line.
    """
    old = old_areas(state, colour, around)
    if len(old) < 2:
        return None
    whole = heir(state, old)
    return whole if isinstance(whole, Forbidden) else None


def old_areas(state: State, colour: int, around: Iterable[int]) -> set[int]:
    """The provinces and ruined areas of a colour in these cells: QIN-5.2, QIN-14.3."""
    areas, what, owners = state.areas, state.cells, state.owners
    return {areas[n] for n in around if what[n] == colour and owners[areas[n]] != NOBODY}


def touching(state: State, colour: int, around: Iterable[int]) -> set[int]:
    """The areas of a colour in these cells, which a tile beside them joins: QIN-5.2."""
    areas, what = state.areas, state.cells
    return {areas[cell] for cell in around if what[cell] == colour}


def _strongest(state: State, minors: Iterable[int]) -> int | Forbidden:
    """The player with most spaces in these provinces, or a tie: QIN-6.3, QIN-6.4."""
    spaces: dict[int, int] = {}
    for area in minors:
        owner = state.owners[area]
        spaces[owner] = spaces.get(owner, 0) + state.sizes[area]
    most = max(spaces.values())
    strongest = [owner for owner, held in spaces.items() if held == most]
    return Forbidden(TIED, most) if len(strongest) > 1 else strongest[0]
