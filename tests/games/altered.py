"""Alter real positions in one or several places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from domain.engine.dice import Dice, choose

Way = tuple[Any, ...]
"""Keys and places, from the whole to a part of it."""
NUMBERS = (-1, 0, 1, 2, 3, 5, 6, 7, 13, 99, 255, 256, 65_536, 10**9, -(10**9), 10**30, 0.5)
ODD = ("", "a", "0", None, True, [], {}, *NUMBERS)
"""Values that belong in no place of a position."""


def alter(position: Any, dice: Dice) -> Any:
    """Return the position with one to three changes of the kinds below."""
    for _ in range(1 + dice.below(3)):
        position = choose(dice, CHANGES)(position, dice)
    return position


def with_something_odd(data: Any, dice: Dice) -> Any:
    """Replace one part with an odd value."""
    return replace_at(data, any_of(dice, ways(data)), choose(dice, ODD))


def with_another_number(data: Any, dice: Dice) -> Any:
    """Replace a number with a nearby one or with a very different one."""
    way = any_of(dice, (way for way in ways(data) if type(part(data, way)) is int))
    if not way:
        return data
    near = [part(data, way) + 1, part(data, way) - 1]
    return replace_at(data, way, choose(dice, [*near, *near, *near, *NUMBERS]))


def with_something_dropped(data: Any, dice: Dice) -> Any:
    """Drop one field, or one item of a list."""
    return drop_at(data, any_of(dice, ways(data)))


def with_something_twice(data: Any, dice: Dice) -> Any:
    """Repeat one item of a list."""
    way = any_of(dice, (way for way in ways(data) if isinstance(part(data, way[:-1]), list)))
    if not way:
        return data
    row, place = part(data, way[:-1]), way[-1]
    return replace_at(data, way[:-1], [*row[:place], row[place], *row[place:]])


def with_something_again(data: Any, dice: Dice) -> Any:
    """Copy one item of a list over the next one; the length stays."""
    named = list(with_repeats(data))
    return choose(dice, named)[1] if named else data


def with_two_things_swapped(data: Any, dice: Dice) -> Any:
    """Swap two items of a list or two fields: one seat gets what another seat had."""
    inner = [way for way in ((), *ways(data)) if len(children(part(data, way))) > 1]
    way = any_of(dice, inner)
    keys = children(part(data, way))
    if len(keys) < 2:
        return data
    one, other = (*way, choose(dice, keys)), (*way, choose(dice, keys))
    first, second = part(data, one), part(data, other)
    return replace_at(replace_at(data, one, second), other, first)


def with_something_moved(data: Any, dice: Dice) -> Any:
    """Copy a part of the position over another part."""
    there = list(ways(data))
    return replace_at(data, choose(dice, there), part(data, choose(dice, there)))


def with_something_emptied(data: Any, dice: Dice) -> Any:
    """Empty a list, an object or a text: a hand, or the seats of a step."""
    way = any_of(
        dice, (way for way in ways(data) if isinstance(part(data, way), dict | list | str))
    )
    return replace_at(data, way, type(part(data, way))()) if way else data


def with_another_agenda(data: Any, dice: Dice) -> Any:
    """Add, drop or move a step, or give it another seat or none."""
    agenda = data.get("agenda")
    if not (isinstance(agenda, list) and agenda and all(isinstance(one, dict) for one in agenda)):
        return data
    place, other = dice.below(len(agenda)), dice.below(len(agenda))
    seats = choose(dice, [[], [0], [1], [0, 1], [9]])
    made: list[Callable[[], list[Any]]] = [
        lambda: agenda[:place] + agenda[place + 1 :],
        lambda: [*agenda[:place], agenda[other], *agenda[place:]],
        lambda: [*agenda[:place], {**agenda[place], "seats": seats}, *agenda[place + 1 :]],
        lambda: replace_at(replace_at(agenda, (place,), agenda[other]), (other,), agenda[place]),
        lambda: agenda[::-1],
    ]
    return {**data, "agenda": choose(dice, made)()}


def mix(position: Any, other: Any, dice: Dice) -> Any:
    """Return the position with one to three parts from another position of the game."""
    for _ in range(1 + dice.below(3)):
        position = choose(dice, MIXTURES)(position, other, dice)
    return position


def agenda_of(position: Any) -> list[Any]:
    """The agenda of a position, if it has one and it is still a list."""
    agenda = position.get("agenda")
    return agenda if isinstance(agenda, list) else []


def with_a_field_of(position: Any, other: Any, dice: Dice) -> Any:
    """Take one part from the other position."""
    key = choose(dice, sorted(other))
    return {**position, key: other[key]}


def with_less_planned(position: Any, _other: Any, dice: Dice) -> Any:
    """Drop some steps between the first and the last one."""
    agenda = agenda_of(position)
    if len(agenda) < 2:
        return position
    start = dice.below(len(agenda) - 1)
    stop = start + 1 + dice.below(len(agenda) - 1 - start)
    return {**position, "agenda": [*agenda[:start], *agenda[stop:]]}


def with_its_last_steps(position: Any, other: Any, dice: Dice) -> Any:
    """Put the current steps of the other position on top of the planned steps of this one."""
    return {**position, "agenda": [*_some(position, dice), *_some(other, dice, last=True)]}


def with_one_of_its_steps(position: Any, other: Any, dice: Dice) -> Any:
    """Insert one planned step of the other position anywhere but at the end."""
    planned, agenda = agenda_of(other)[:-1], agenda_of(position)
    if not planned or not agenda:
        return position
    place = dice.below(len(agenda))
    return {**position, "agenda": [*agenda[:place], choose(dice, planned), *agenda[place:]]}


def _some(position: Any, dice: Dice, *, last: bool = False) -> list[Any]:
    """Return some of the last steps, or of the first ones."""
    agenda = agenda_of(position)
    if not agenda:
        return []
    place = dice.below(len(agenda))
    return agenda[place:] if last else agenda[: place + 1]


def with_a_change(position: Any, _other: Any, dice: Dice) -> Any:
    """Make one of the changes in LIGHT."""
    return choose(dice, LIGHT)(position, dice)


MIXTURES = (
    with_a_field_of,
    with_less_planned,
    with_less_planned,
    with_its_last_steps,
    with_its_last_steps,
    with_one_of_its_steps,
    with_a_change,
)
LIGHT = (with_another_number, with_something_dropped, with_two_things_swapped)
"""Changes that often leave a legal position."""
CHANGES: tuple[Callable[[Any, Dice], Any], ...] = (
    with_something_odd,
    with_another_number,
    with_another_number,
    with_something_dropped,
    with_something_twice,
    with_something_again,
    with_two_things_swapped,
    with_something_moved,
    with_something_emptied,
    with_another_agenda,
    with_another_agenda,
)


def with_duplicates(data: Any) -> Iterator[tuple[Way, Any]]:
    """Yield the path of each list item and the data with this item twice."""
    for way in ways(data):
        if isinstance(row := part(data, way[:-1]), list):
            yield way, replace_at(data, way[:-1], [*row, row[way[-1]]])


def with_repeats(data: Any) -> Iterator[tuple[Way, Any]]:
    """Yield the path of each list item and the data with it copied over the one before it."""
    for way in ways(data):
        row = part(data, way[:-1])
        if isinstance(row, list) and row[way[-1]] != row[way[-1] - 1]:
            yield way, replace_at(data, (*way[:-1], (way[-1] - 1) % len(row)), row[way[-1]])


def with_numbers_changed_by_one(data: Any) -> Iterator[tuple[Way, Any]]:
    """Yield the path of each number and the data with this number one greater, then one smaller."""
    for way in ways(data):
        if type(number := part(data, way)) is int:
            yield from ((way, replace_at(data, way, number + by)) for by in (1, -1))


def with_huge_numbers(data: Any) -> Iterator[tuple[Way, Any]]:
    """Yield the path of each number and the data with numbers there that are too far from 0 to loop
    over.
    """
    for way in ways(data):
        if type(part(data, way)) is int:
            yield from ((way, replace_at(data, way, by)) for by in (10**5, -(10**5), 10**40))


def ways(data: Any, way: Way = ()) -> Iterator[Way]:
    """Yield the path to each part."""
    for key in children(data):
        yield (*way, key)
        yield from ways(data[key], (*way, key))


def children(data: Any) -> list[Any]:
    """The keys or indices of the direct children."""
    return (
        list(data)
        if isinstance(data, dict)
        else list(range(len(data) if isinstance(data, list) else 0))
    )


def part(data: Any, way: Way) -> Any:
    """The part at this path."""
    for key in way:
        data = data[key]
    return data


def replace_at(data: Any, way: Way, value: Any) -> Any:
    """Return a copy with this value at this path."""
    if not way:
        return value
    copy = data.copy()
    copy[way[0]] = replace_at(data[way[0]], way[1:], value)
    return copy


def drop_at(data: Any, way: Way) -> Any:
    """Return a copy without the part at this path."""
    if not way:
        return data
    inner = part(data, way[:-1]).copy()
    del inner[way[-1]]
    return replace_at(data, way[:-1], inner)


def any_of(dice: Dice, ways: Any) -> Way:
    """Choose one of these paths, or the path to the whole if the list is empty."""
    found = list(ways)
    return choose(dice, found) if found else ()
