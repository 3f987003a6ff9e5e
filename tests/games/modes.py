"""The games in each of their modes: every check applies to all modes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec
import pytest
from msgspec import inspect

from domain.engine.codecs import json_codec
from domain.engine.errors import BadOptions
from domain.engine.game import Json
from domain.games import GAMES
from tests.engine.toy import GAME as TOY
from tests.games.seen import AnyGame

ALL = (*GAMES.values(), TOY)
MAP_OPTIONS = ("board", "face", "map")
"""Options that choose the map of a game."""


class Table(NamedTuple):
    """A game in one of its modes, for a number of seats."""

    game: AnyGame
    seats: int
    id: str

    @property
    def setup(self) -> Any:
        """The setup of a match at this table."""
        return self.game.setup(self.game.options(), self.seats)

    @property
    def fewest(self) -> bool:
        """Whether this mode allows no fewer seats."""
        return self.seats == self.game.seats[0]

    @property
    def most(self) -> bool:
        """Whether this mode allows no more seats."""
        return self.seats == self.game.seats[-1]

    @property
    def is_usual(self) -> bool:
        """Whether this is the usual mode of its game."""
        return self.id == f"{self.game.key}-{self.seats}"

    @property
    def between(self) -> bool:
        """Whether this mode allows both fewer and more seats."""
        return not (self.fewest or self.most)


class Seating(NamedTuple):
    """The number of seats and the options with which a host opens a match of a game."""

    game: AnyGame
    seats: int
    options: Json
    id: str

    def __str__(self) -> str:
        return self.id

    @property
    def together(self) -> bool:
        """Whether all win or none does."""
        options = json_codec.read_options(self.game, self.options)
        return self.game.is_cooperative(self.game.setup(options, self.seats))


def with_fewest_seats() -> list[Any]:
    """Each game as a case of a test that looks at its random game with the fewest seats: such tests
    follow one another, in one process.
    """
    return [
        pytest.param(game, id=game.key, marks=pytest.mark.xdist_group(f"{key}-{seats}"))
        for game in ALL
        for key, seats in [(game.key, game.seats[0])]
    ]


def seatings(games: Iterable[AnyGame] = ALL) -> list[Seating]:
    """Each game in each of its modes, with the fewest seats and the most."""
    return [
        Seating(game, table.seats, {"mode": mode} if mode else {}, table.id)
        for game in games
        for table in tables([game])
        for mode in [game.non_default_mode(table.game.options())]
    ]


def tables(games: Iterable[AnyGame] = ALL, *, all_seats: bool = False) -> Iterator[Table]:
    """Each game in each of its modes, with the fewest seats and the most; or all in the usual one,
    since other modes are the same code again.
    """
    for game in games:
        for name, one in modes_of(game).items():
            every = all_seats and name == game.key
            for seats in one.seats if every else sorted({one.seats[0], one.seats[-1]}):
                yield Table(one, seats, f"{name}-{seats}")


@cache
def modes_of(game: AnyGame) -> dict[str, AnyGame]:
    """The game in each of its modes, by the key of the game and the mode; the usual mode has only
    the key of the game.
    """
    if not game.seats_by_mode:
        return {game.key: game}
    return {
        f"{game.key}-{mode}"
        if game.non_default_mode(game.options(mode=mode))
        else game.key: replace(
            game, seats=seats, seats_by_mode={}, options=_options(game, "mode", mode)
        )
        for mode, seats in game.seats_by_mode.items()
    }


def map_tables(game: AnyGame) -> Iterator[list[Table]]:
    """For each mode of a game: its tables on all maps, with the fewest seats and the most; the
    usual map is the first.
    """
    for name, one in modes_of(game).items():
        yield [
            Table(on_map, seats, "-".join(filter(None, [name, map_name, str(seats)])))
            for map_name, on_map in maps_of(one).items()
            for counts in [[seats for seats in one.seats if is_possible(on_map, seats)]]
            for seats in sorted({counts[0], counts[-1]})
        ]


def is_possible(game: AnyGame, seats: int) -> bool:
    """Whether a match with the usual options can have this number of seats."""
    try:
        game.setup(game.options(), seats)
    except BadOptions:
        return False
    return True


def maps_of(game: AnyGame) -> dict[str, AnyGame]:
    """The game on each of its maps, the usual one first; it has no name if there is no other."""
    for field in inspect.type_info(game.options).fields:  # type: ignore[attr-defined]
        if field.name in MAP_OPTIONS:
            values = sorted(field.type.values, key=lambda value: value != field.default)
            return {
                value: replace(game, options=_options(game, field.name, value)) for value in values
            }
    return {"": game}


def _options(game: AnyGame, name: str, value: str) -> type[msgspec.Struct]:
    """The options of a game in which this one always has this value."""
    return msgspec.defstruct(
        game.options.__name__,
        [(name, Literal[value], value)],
        bases=(game.options,),
        frozen=True,
        forbid_unknown_fields=True,
    )


def another(game: AnyGame, name: str) -> Any:
    """A value of an option that is not its default."""
    record = inspect.type_info(game.options)
    assert isinstance(record, inspect.StructType)
    [kind] = (field.type for field in record.fields if field.name == name)
    usual = getattr(game.options(), name)
    match kind.type if isinstance(kind, inspect.Metadata) else kind:
        case inspect.LiteralType(values=values):
            return next(value for value in values[::-1] if value != usual)
        case inspect.BoolType():
            return not usual
        case inspect.IntType(ge=least, le=most):
            return most if most != usual else least
    raise AssertionError(f"Say here what else {name} can be.")
