"""Small tables of The Great Wall."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state.clans import SOURCES, Overseer
from domain.games.great_wall.state.hordes import FREE, NO_SPOT, Horde
from domain.games.great_wall.state.setup import Options, setup
from domain.games.great_wall.state.table import LaidCommand, State, blank


def table(
    *clans: dict[str, Any], seats: int = 3, mode: board.Mode = "standard", **values: Any
) -> State:
    """A table with these belongings of the clans, by seat, and these values."""
    state = blank(setup(Options(mode=mode), seats), seats)
    for clan, own in zip(state.clans, clans, strict=False):
        for name, value in own.items():
            setattr(clan, name, IN_ORDER.get(name, as_given)(value))
    for name, value in values.items():
        setattr(state, name, IN_ORDER.get(name, as_given)(value))
    return state


def without_zeros(parts: dict[str, int]) -> dict[str, int]:
    """The parts of a score that are not 0."""
    return {name: honor for name, honor in parts.items() if honor}


def participation_honor(honor: int) -> tuple[int, ...]:
    """The honor of a clan, all of it for participation in defeats."""
    return (honor, *[0] * (len(SOURCES) - 1))


def as_given(value: Any) -> Any:
    return value


def row_in_order(
    names: Iterable[str], nothing: Any = 0
) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """A function that makes a row, in this order, of values by name."""
    return lambda told: tuple(told.get(name, nothing) for name in names)


def troops(counts: dict[str, int]) -> tuple[int, ...]:
    """Soldiers by type."""
    return tuple(counts.get(soldier, 0) for soldier in board.SOLDIERS)


def overseers(levels: dict[str, int]) -> tuple[Overseer | None, ...]:
    """Overseers of these levels, all of them Archers."""
    there = (levels.get(place, 0) for place in board.PRODUCTION)
    return tuple(Overseer(level, "archer") if level else None for level in there)


def track(cards: list[tuple[int, str]]) -> tuple[LaidCommand, ...]:
    """A Command track with the cards of these clans."""
    return tuple(LaidCommand(clan, card) for clan, card in cards)


IN_ORDER: dict[str, Callable[[Any], Any]] = {
    "resources": row_in_order(board.RESOURCES),
    "warehouse": row_in_order(board.RESOURCES),
    "clerks": row_in_order(board.LOCATIONS),
    "firing": row_in_order(board.SECTIONS),
    "walls": row_in_order(board.SECTIONS),
    "barricades": row_in_order(board.SECTIONS),
    "hordes": lambda told: tuple(tuple(told.get(name, ())) for name in board.SECTIONS),
    "rest": lambda told: tuple(troops(told.get(name, {})) for name in board.SECTIONS),
    "pool": troops,
    "shamed": troops,
    "overseers": overseers,
    "track": track,
}
"""By member, the function that makes a row of values given by name."""


def horde(card: str, wounds: int = 0, **soldiers: tuple[int, ...]) -> Horde:
    """A Horde card with that many wounds on its first free spots, and soldiers: `by1=(2, 3)`."""
    grid = decks.HORDES[card].grid
    new = Horde(card, bytes(NO_SPOT if reward is None else FREE for reward in grid))
    for owner, spots in soldiers.items():
        new = new.with_soldier(int(owner[2]), spots)
    return new.with_wounds(tuple(new.free())[:wounds])
