"""Options of a game and clocks, as they are typed in Discord: `board=bird`, `1h+30s`.

Which options a game has, and their values, is read from its record of options.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import inspect

from domain.engine.game import Game
from domain.engine.options import counts
from domain.match.errors import Malformed
from domain.match.state import ClockRule

Found = Iterator[tuple[str, str]]
LONGEST = 100
"""Letters of a choice."""
MONTH_S, DAY_S = 30 * 86_400, 86_400
YES_NO: Mapping[str, bool] = {"yes": True, "no": False}
SECONDS: Mapping[str, int] = {"s": 1, "m": 60, "h": 3_600, "d": DAY_S}
CLOCK = re.compile(r"(\d{1,7})([smhd])(?:\+(\d{1,7})([smhd]))?")
CLOCKS: Mapping[str, str] = {
    "1m": "a minute for each move",
    "1h": "an hour for each move",
    "1d": "a day for each move",
    "3d": "three days for each move",
    "10m+10s": "ten minutes each, and ten seconds more with each move",
    "1h+30s": "an hour each, and half a minute more with each move",
    "7d+6h": "seven days each, and six hours more with each move",
}
CLOCK_RULE = (
    "A clock is a time for each move, as `1d`, or a time for all moves and what each adds to it, "
    f"as `1h+30s`: s, m, h, d for seconds to days, {MONTH_S // DAY_S}d at most, {DAY_S // 3_600}h "
    "to add."
)


def clock(text: str) -> ClockRule | None:
    """The clock that is typed, none for nothing; Malformed."""
    if not text:
        return None
    found = CLOCK.fullmatch(text.casefold().replace(" ", ""))
    if not found:
        raise Malformed("bad_clock", CLOCK_RULE)
    time_s = int(found[1]) * SECONDS[found[2]]
    more_s = int(found[3]) * SECONDS[found[4]] if found[3] else 0
    if not 1 <= time_s <= MONTH_S or more_s > DAY_S:
        raise Malformed("bad_clock", CLOCK_RULE)
    return ClockRule(bank_s=time_s, increment_s=more_s) if found[3] else ClockRule(time_s)


def clocks(typed: str) -> Found:
    """Clocks that they could mean."""
    for text, says in CLOCKS.items():
        if typed.casefold() in f"{text} {says}".casefold():
            yield f"{text}: {says}", text


def options(game: Game[Any], text: str) -> Mapping[str, object]:
    """The options that are typed, as `name=value` one after another; Malformed."""
    parts = [part.partition("=") for part in text.split()]
    return {name: _value(game, name, value) for name, _, value in parts}


def options_offered(game: Game[Any], typed: str) -> Found:
    """What is typed, with options that it could go on with: those that count in its mode."""
    *before, last = typed.split(" ")
    named = {name: value for part in before for name, _, value in [part.partition("=")]}
    mode = named.get("mode", getattr(game.options(), "mode", None))
    start = "".join(f"{part} " for part in before if part)
    for one in _completed(game, last):
        whole, name = f"{start}{one}", one.partition("=")[0]
        if name not in named and counts(game.options, name, mode) and len(whole) <= LONGEST:
            yield whole, whole


def _completed(game: Game[Any], last: str) -> Iterator[str]:
    """All options with their values that have this in them; of several values the last one."""
    name, _, value = last.partition("=")
    chosen, plus, rest = value.rpartition("+")
    if plus and name in _kinds(game):
        for one in _choices(_kinds(game)[name]):
            if rest.casefold() in one.casefold() and one not in chosen.split("+"):
                yield f"{name}={chosen}+{one}"
        return
    for known, kind in _kinds(game).items():
        named = [value] if name == known and any(_read(kind, value)) else []
        for one in dict.fromkeys([*named, *_choices(kind), *_usual(game, known)]):
            if last.casefold() in f"{known}={one}".casefold():
                yield f"{known}={one}"


@cache
def _kinds(game: Game[Any]) -> Mapping[str, inspect.Type]:
    """The options of a game, by name, and what they can be."""
    record = inspect.type_info(game.options)
    assert isinstance(record, inspect.StructType)
    return {field.name: field.type for field in record.fields}


def _value(game: Game[Any], name: str, text: str) -> object:
    """The value of an option; Malformed with those that there are."""
    kind = _kinds(game).get(name)
    if kind is None:
        known = ", ".join(_kinds(game)) or "none"
        raise Malformed("bad_options", f"{game.title} has no option {name}. There are: {known}.")
    for read in _read(kind, text):
        return read
    more = ", several of them with + between" if any(map(_items, _each(kind))) else ""
    known = ", ".join(_choices(kind)) or _described(kind)
    raise Malformed("bad_options", f"{name} has other values: {known}{more}.")


def _usual(game: Game[Any], name: str) -> Iterator[str]:
    """The value that an option has by itself, if it is typed as it is."""
    usual = getattr(game.options(), name)
    if isinstance(usual, str):
        yield usual


def _read(kind: inspect.Type, text: str) -> Iterator[object]:
    """What a text stands for as a value of this kind; nothing if it is none."""
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
    """How the values of a kind are typed, as far as they can be counted."""
    return list(dict.fromkeys(_typed(_each(kind))))


def _typed(kinds: Iterable[inspect.Type]) -> Iterator[str]:
    for one in kinds:
        if isinstance(one, inspect.LiteralType):
            yield from map(str, one.values)
        elif isinstance(one, inspect.BoolType):
            yield from YES_NO
        elif isinstance(one, inspect.IntType):
            yield from map(str, _numbers(one))
        elif items := _items(one):
            yield from _typed(_each(items))


def _numbers(kind: inspect.IntType) -> range:
    """All that a number can be; none if it has no bounds."""
    if kind.ge is None or kind.le is None:
        return range(0)
    return range(kind.ge, kind.le + 1)


def _described(kind: inspect.Type) -> str:
    """What values that cannot be counted are like."""
    about = kind.extra_json_schema if isinstance(kind, inspect.Metadata) else None
    return str((about or {}).get("description", "a word")).rstrip(".")


def _each(kind: inspect.Type) -> Sequence[inspect.Type]:
    """The kinds that a value may be of, one by one."""
    if isinstance(kind, inspect.Metadata):
        return _each(kind.type)
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _items(kind: inspect.Type) -> inspect.Type | None:
    """What the parts of a value with several parts are."""
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return kind.item_type
    if isinstance(kind, inspect.TupleType) and kind.item_types:
        return kind.item_types[0]
    return None
