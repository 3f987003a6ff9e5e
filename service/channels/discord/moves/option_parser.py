"""Parses and completes game options and clocks typed in Discord: `board=bird`, `1h+30s`.

The options and their values come from the options record of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import inspect

from domain.engine.game import Game
from domain.engine.options import has_effect
from domain.match.errors import InvalidCommand
from domain.match.state import ClockRule

Choices = Iterator[tuple[str, str]]
MAX_CHOICE_CHARS = 100
"""Maximum length of an autocompletion choice."""
MONTH_S, DAY_S = 30 * 86_400, 86_400
YES_NO: Mapping[str, bool] = {"yes": True, "no": False}
SECONDS: Mapping[str, int] = {"s": 1, "m": 60, "h": 3_600, "d": DAY_S}
CLOCK = re.compile(r"(\d{1,7})([smhd])(?:\+(\d{1,7})([smhd]))?")
CLOCKS: Mapping[str, str] = {
    "1m": "a minute per move",
    "1h": "an hour per move",
    "1d": "a day per move",
    "3d": "three days per move",
    "10m+10s": "ten minutes, plus ten seconds per move",
    "1h+30s": "an hour, plus 30 seconds per move",
    "7d+6h": "seven days, plus six hours per move",
}
CLOCK_RULE = (
    "A clock is a time per move, such as `1d`, or a bank with an increment, such as `1h+30s`. "
    f"Units: s, m, h, d; at most {MONTH_S // DAY_S}d, and {DAY_S // 3_600}h as an increment."
)


def parse_clock(text: str) -> ClockRule | None:
    """Parse a clock; None for an empty text. Raises InvalidCommand."""
    if not text:
        return None
    found = CLOCK.fullmatch(text.casefold().replace(" ", ""))
    if not found:
        raise InvalidCommand("bad_clock", CLOCK_RULE)
    time_s = int(found[1]) * SECONDS[found[2]]
    more_s = int(found[3]) * SECONDS[found[4]] if found[3] else 0
    if not 1 <= time_s <= MONTH_S or more_s > DAY_S:
        raise InvalidCommand("bad_clock", CLOCK_RULE)
    return ClockRule(bank_s=time_s, increment_s=more_s) if found[3] else ClockRule(time_s)


def suggest_clocks(typed: str) -> Choices:
    """Yield the labels and values of clocks that match the typed text."""
    for text, says in CLOCKS.items():
        if typed.casefold() in f"{text} {says}".casefold():
            yield f"{text}: {says}", text


def parse_options(game: Game[Any], text: str) -> Mapping[str, object]:
    """Parse options written as `name=value`, separated by spaces. Raises InvalidCommand."""
    parts = [part.partition("=") for part in text.split()]
    return {name: _value(game, name, value) for name, _, value in parts}


def suggest_options(game: Game[Any], typed: str) -> Choices:
    """Yield the typed text, extended by one option that applies in its mode."""
    *before, last = typed.split(" ")
    named = {name: value for part in before for name, _, value in [part.partition("=")]}
    mode = named.get("mode", getattr(game.options(), "mode", None))
    start = "".join(f"{part} " for part in before if part)
    for one in _complete_option(game, last):
        whole, name = f"{start}{one}", one.partition("=")[0]
        if (
            name not in named
            and has_effect(game.options, name, mode)
            and len(whole) <= MAX_CHOICE_CHARS
        ):
            yield whole, whole


def _complete_option(game: Game[Any], last: str) -> Iterator[str]:
    """Yield options with values that contain the text; in a list, complete the last value."""
    name, _, value = last.partition("=")
    chosen, plus, rest = value.rpartition("+")
    if plus and name in _kinds(game):
        for one in _choices(_kinds(game)[name]):
            if rest.casefold() in one.casefold() and one not in chosen.split("+"):
                yield f"{name}={chosen}+{one}"
        return
    for known, kind in _kinds(game).items():
        named = [value] if name == known and any(_read(kind, value)) else []
        for one in dict.fromkeys([*named, *_choices(kind), *_default_texts(game, known)]):
            if last.casefold() in f"{known}={one}".casefold():
                yield f"{known}={one}"


@cache
def _kinds(game: Game[Any]) -> Mapping[str, inspect.Type]:
    """Return the types of a game's options, by name."""
    record = inspect.type_info(game.options)
    assert isinstance(record, inspect.StructType)
    return {field.name: field.type for field in record.fields}


def _value(game: Game[Any], name: str, text: str) -> object:
    """Return the value of an option. Raises InvalidCommand, which lists the valid ones."""
    kind = _kinds(game).get(name)
    if kind is None:
        known = ", ".join(_kinds(game)) or "none"
        raise InvalidCommand(
            "bad_options", f"{game.title} has no option {name}. Its options: {known}."
        )
    for read in _read(kind, text):
        return read
    more = "; join several with +" if any(map(_items, _each(kind))) else ""
    known = ", ".join(_choices(kind)) or _describe(kind)
    raise InvalidCommand("bad_options", f"{name} must be one of: {known}{more}.")


def _default_texts(game: Game[Any], name: str) -> Iterator[str]:
    """Yield the default of an option, if it is a text."""
    usual = getattr(game.options(), name)
    if isinstance(usual, str):
        yield usual


def _read(kind: inspect.Type, text: str) -> Iterator[object]:
    """Yield the value of this type that a text stands for; nothing if it is invalid."""
    for one in _each(kind):
        if isinstance(one, inspect.LiteralType):
            yield from (value for value in one.values if str(value) == text)
        elif isinstance(one, inspect.BoolType) and text in YES_NO:
            yield YES_NO[text]
        elif isinstance(one, inspect.IntType):
            yield from (number for number in _numbers(one) if str(number) == text)
        elif isinstance(one, inspect.StrType) and re.search(one.pattern or "", text):
            yield text
        elif items := _items(one):
            read = [next(_read(items, part), None) for part in text.split("+")]
            if None not in read:
                yield read


def _choices(kind: inspect.Type) -> list[str]:
    """Return the texts of all values of a type, as far as they can be listed."""
    return list(dict.fromkeys(_texts(_each(kind))))


def _texts(kinds: Iterable[inspect.Type]) -> Iterator[str]:
    for one in kinds:
        if isinstance(one, inspect.LiteralType):
            yield from map(str, one.values)
        elif isinstance(one, inspect.BoolType):
            yield from YES_NO
        elif isinstance(one, inspect.IntType):
            yield from map(str, _numbers(one))
        elif items := _items(one):
            yield from _texts(_each(items))


def _numbers(kind: inspect.IntType) -> range:
    """Return all values of a number type, or empty if it has no bounds."""
    if kind.ge is None or kind.le is None:
        return range(0)
    return range(kind.ge, kind.le + 1)


def _describe(kind: inspect.Type) -> str:
    """Return the description of values that cannot be listed."""
    about = kind.extra_json_schema if isinstance(kind, inspect.Metadata) else None
    return str((about or {}).get("description", "a word")).rstrip(".")


def _each(kind: inspect.Type) -> Sequence[inspect.Type]:
    """Return the members of a union type, or the type itself."""
    if isinstance(kind, inspect.Metadata):
        return _each(kind.type)
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _items(kind: inspect.Type) -> inspect.Type | None:
    """Return the item type of a list or tuple, or None for other types."""
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return kind.item_type
    if isinstance(kind, inspect.TupleType) and kind.item_types:
        return kind.item_types[0]
    return None
