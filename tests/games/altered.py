"""Positions that were real until something in them was changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from domain.engine.dice import Dice, choose

Way = tuple[Any, ...]
"""Keys and places, from the whole to a part of it."""
NUMBERS = (-1, 0, 1, 2, 3, 5, 6, 7, 13, 99, 255, 256, 65_536, 10**9, -(10**9), 10**30, 0.5)
ODD = ("", "a", "0", None, True, [], {}, *NUMBERS)
"""What stands in the place of what belongs there."""


def altered(position: Any, dice: Dice) -> Any:
    """The same with one to three changes of the kinds below."""
    for _ in range(1 + dice.below(3)):
        position = choose(dice, CHANGES)(position, dice)
    return position


def with_something_odd(data: Any, dice: Dice) -> Any:
    """Something else in one place."""
    return changed(data, any_of(dice, ways(data)), choose(dice, ODD))


def with_another_number(data: Any, dice: Dice) -> Any:
    """A number a little greater or smaller, or quite another one."""
    way = any_of(dice, (way for way in ways(data) if type(part(data, way)) is int))
    if not way:
        return data
    near = [part(data, way) + 1, part(data, way) - 1]
    return changed(data, way, choose(dice, [*near, *near, *near, *NUMBERS]))


def with_something_dropped(data: Any, dice: Dice) -> Any:
    """Without one field, or one thing of a list."""
    return dropped(data, any_of(dice, ways(data)))


def with_something_twice(data: Any, dice: Dice) -> Any:
    """With one thing of a list two times."""
    way = any_of(dice, (way for way in ways(data) if isinstance(part(data, way[:-1]), list)))
    if not way:
        return data
    row, place = part(data, way[:-1]), way[-1]
    return changed(data, way[:-1], [*row[:place], row[place], *row[place:]])


def with_something_again(data: Any, dice: Dice) -> Any:
    """A list as long as it was, with one thing of it in the place of the next one, too."""
    named = list(named_again(data))
    return choose(dice, named)[1] if named else data


def with_two_things_swapped(data: Any, dice: Dice) -> Any:
    """Two things of a list or two fields trade places: what one seat has, the other has now."""
    inner = [way for way in ((), *ways(data)) if len(children(part(data, way))) > 1]
    way = any_of(dice, inner)
    keys = children(part(data, way))
    if len(keys) < 2:
        return data
    one, other = (*way, choose(dice, keys)), (*way, choose(dice, keys))
    first, second = part(data, one), part(data, other)
    return changed(changed(data, one, second), other, first)


def with_something_moved(data: Any, dice: Dice) -> Any:
    """A part of the position stands where another part stood."""
    there = list(ways(data))
    return changed(data, choose(dice, there), part(data, choose(dice, there)))


def with_something_emptied(data: Any, dice: Dice) -> Any:
    """A list, an object or a text with nothing in it: a hand, or the seats of a step."""
    way = any_of(
        dice, (way for way in ways(data) if isinstance(part(data, way), dict | list | str))
    )
    return changed(data, way, type(part(data, way))()) if way else data


def with_another_agenda(data: Any, dice: Dice) -> Any:
    """A step less or more, or in another place, or waiting for another seat or none."""
    agenda = data.get("agenda")
    if not (isinstance(agenda, list) and agenda and all(isinstance(one, dict) for one in agenda)):
        return data
    place, other = dice.below(len(agenda)), dice.below(len(agenda))
    seats = choose(dice, [[], [0], [1], [0, 1], [9]])
    made: list[Callable[[], list[Any]]] = [
        lambda: agenda[:place] + agenda[place + 1 :],
        lambda: [*agenda[:place], agenda[other], *agenda[place:]],
        lambda: [*agenda[:place], {**agenda[place], "seats": seats}, *agenda[place + 1 :]],
        lambda: changed(changed(agenda, (place,), agenda[other]), (other,), agenda[place]),
        lambda: agenda[::-1],
    ]
    return {**data, "agenda": choose(dice, made)()}


def mixed(position: Any, other: Any, dice: Dice) -> Any:
    """The same with one to three things as they are in another position of the game."""
    for _ in range(1 + dice.below(3)):
        position = choose(dice, MIXTURES)(position, other, dice)
    return position


def with_a_field_of(position: Any, other: Any, dice: Dice) -> Any:
    """With one thing as it is there."""
    key = choose(dice, sorted(other))
    return {**position, key: other[key]}


def with_less_planned(position: Any, _other: Any, dice: Dice) -> Any:
    """With some steps less between the first and the last one."""
    agenda = position.get("agenda", [])
    if len(agenda) < 2:
        return position
    start = dice.below(len(agenda) - 1)
    stop = start + 1 + dice.below(len(agenda) - 1 - start)
    return {**position, "agenda": [*agenda[:start], *agenda[stop:]]}


def with_its_last_steps(position: Any, other: Any, dice: Dice) -> Any:
    """With what is going on there, on what is planned here."""
    return {**position, "agenda": [*_some(position, dice), *_some(other, dice, last=True)]}


def with_one_of_its_steps(position: Any, other: Any, dice: Dice) -> Any:
    """With one step of those that are planned there, in any place but the last."""
    planned, agenda = other.get("agenda", [])[:-1], position.get("agenda", [])
    if not planned or not agenda:
        return position
    place = dice.below(len(agenda))
    return {**position, "agenda": [*agenda[:place], choose(dice, planned), *agenda[place:]]}


def _some(position: Any, dice: Dice, *, last: bool = False) -> list[Any]:
    """Some of the last steps, or of the first ones."""
    agenda: list[Any] = position.get("agenda", [])
    if not agenda:
        return []
    place = dice.below(len(agenda))
    return agenda[place:] if last else agenda[: place + 1]


def with_a_change(position: Any, _other: Any, dice: Dice) -> Any:
    """With a change of those below."""
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
"""Changes after which a position is often still one to play on."""
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


def named_twice(data: Any) -> Iterator[tuple[Way, Any]]:
    """By way, with each thing of each list two times."""
    for way in ways(data):
        if isinstance(row := part(data, way[:-1]), list):
            yield way, changed(data, way[:-1], [*row, row[way[-1]]])


def named_again(data: Any) -> Iterator[tuple[Way, Any]]:
    """By way, with each thing of each list in the place of the one before it, too."""
    for way in ways(data):
        row = part(data, way[:-1])
        if isinstance(row, list) and row[way[-1]] != row[way[-1] - 1]:
            yield way, changed(data, (*way[:-1], (way[-1] - 1) % len(row)), row[way[-1]])


def counted_otherwise(data: Any) -> Iterator[tuple[Way, Any]]:
    """By way, with each number one greater, and one smaller."""
    for way in ways(data):
        if type(number := part(data, way)) is int:
            yield from ((way, changed(data, way, number + by)) for by in (1, -1))


def made_huge(data: Any) -> Iterator[tuple[Way, Any]]:
    """By way, with each number so far from nought that nobody can count up to it."""
    for way in ways(data):
        if type(part(data, way)) is int:
            yield from ((way, changed(data, way, by)) for by in (10**5, -(10**5), 10**40))


def ways(data: Any, way: Way = ()) -> Iterator[Way]:
    """The way to each part."""
    for key in children(data):
        yield (*way, key)
        yield from ways(data[key], (*way, key))


def children(data: Any) -> list[Any]:
    """The keys or places of what is directly inside."""
    return (
        list(data)
        if isinstance(data, dict)
        else list(range(len(data) if isinstance(data, list) else 0))
    )


def part(data: Any, way: Way) -> Any:
    """What this way leads to."""
    for key in way:
        data = data[key]
    return data


def changed(data: Any, way: Way, value: Any) -> Any:
    """The same with this in that place."""
    if not way:
        return value
    copy = data.copy()
    copy[way[0]] = changed(data[way[0]], way[1:], value)
    return copy


def dropped(data: Any, way: Way) -> Any:
    """The same without that."""
    if not way:
        return data
    inner = part(data, way[:-1]).copy()
    del inner[way[-1]]
    return changed(data, way[:-1], inner)


def any_of(dice: Dice, ways: Any) -> Way:
    """One of these ways, or the way to the whole if there is none."""
    found = list(ways)
    return choose(dice, found) if found else ()
