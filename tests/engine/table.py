"""Small builders for tests of the engine and of games."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import msgspec

from domain.engine.dice import Dice, choose
from domain.engine.game import Game, Json, legal_moves, new_state, seats_to_move
from tests.engine.toy import GAME as TOY


class Script:
    """Dice that fall as written, one number after another."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        number = self.numbers.pop(0)
        assert number < n
        return number


def new_game(game: Game[Any], seats: int, dice: Dice, **options: Any) -> Any:
    """Begin a game and return the state at its first decision."""
    setup = game.setup(game.options(**options), seats)
    return new_state(game, setup, seats, dice)


def random_move(game: Game[Any], state: Any, dice: Dice) -> Any:
    """A legal move of one of the seats that have to decide."""
    return choose(dice, legal_moves(game, state, choose(dice, seats_to_move(state))))


def position(seats: int, *, strict: bool = False, **changes: Any) -> Any:
    """A table of the toy, empty but for these changes; games need not reach it."""
    setup = TOY.setup(TOY.options(), seats)
    empty: Json = TOY.write_position(TOY.blank_state(setup, seats))
    return TOY.read_position(setup, {**empty, **changes}, seats, strict=strict)


PLAIN = frozenset((int, str, bool, bytes, float, type(None)))
"""Types of values without contents."""


def contents(thing: Any) -> Any:
    """The contents of a state, as values that tests can compare."""
    match thing:
        case dict():
            return {key: contents(value) for key, value in thing.items()}
        case list() | tuple():
            plain = PLAIN.issuperset(map(type, thing))
            return type(thing), [*thing] if plain else [contents(value) for value in thing]
        case bytearray():
            return bytes(thing)
        case _ if is_fact(thing) or isinstance(thing, set):
            return thing
        case _:
            return type(thing), {name: contents(value) for name, value in parts(thing)}


def changeable(thing: Any) -> Iterator[Any]:
    """Every mutable object in a state, the state included."""
    if is_fact(thing):
        return
    if not isinstance(thing, tuple):
        yield thing
    match thing:
        case dict():
            inside = list(thing.values())
        case list() | tuple() | set():
            inside = list(thing)
        case bytearray():
            inside = []
        case _:
            inside = [value for _, value in parts(thing)]
    for value in inside:
        yield from changeable(value)


def parts(thing: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of a plain object, in slots or not. Names with `_` are caches, as are fields
    that comparisons leave out.
    """
    names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    fields = getattr(thing, "__dataclass_fields__", {})
    caches = {name for name, field in fields.items() if not field.compare}
    for name in (*names, *getattr(thing, "__dict__", ())):
        if not name.startswith("_") and name not in caches and hasattr(thing, name):
            yield name, getattr(thing, name)


def is_fact(thing: Any) -> bool:
    """Whether it never changes: a number, a word, a frozen record, a constant of the box."""
    if isinstance(thing, msgspec.Struct):
        return thing.__struct_config__.frozen
    if dataclasses.is_dataclass(thing):
        return bool(thing.__dataclass_params__.frozen)  # type: ignore[attr-defined]  # each has it
    return thing is None or isinstance(thing, int | float | str | bytes | frozenset)
