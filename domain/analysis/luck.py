"""The luck of a draw: the chances after it, less the mean over all possible draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.analysis.chances import Chances, Stage, chances
from domain.analysis.timeline import TimelineEntry
from domain.engine import game as engine
from domain.engine.dice import Dice, Luck
from domain.engine.game import fold
from domain.engine.play import Awaiting, Event
from domain.match.dice import KeyedDice
from domain.match.state import Match

Outcome = tuple[Any, Sequence[Event[Any]]]
"""A position, and the events that led to it."""
Redraw = Callable[[Dice], Outcome]
"""Repeats the same decision with other dice."""


class DrawLuck(NamedTuple):
    """The chance events of one entry."""

    what: tuple[str, ...]  # types of the events that could have been different
    dice: int  # numbers drawn
    outcomes: float  # number of possible results
    mean: Chances  # over repeated draws


class CountingDice:
    """Dice that count the numbers they draw, and the possible results."""

    __slots__ = ("_dice", "count", "outcomes")

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.count = 0
        self.outcomes = 1.0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        self.count += 1
        self.outcomes *= n
        return self._dice.below(n)


def measure_draw(match: Match, moment: TimelineEntry, stage: Stage, redraws: int) -> DrawLuck:
    """Repeat a draw from the same position, after the same move, `redraws` times.

    `stage` is the stage after the entry.
    """
    assert moment.draw is not None
    again = _redraw(match, moment)
    counted = CountingDice(KeyedDice(match.dice_key, moment.draw))
    again(counted)
    others = [again(Luck(f"{match.id} {moment.version} draw {n}")) for n in range(redraws)]
    found = [chances(match.game, state, stage) for state, _ in others]
    mean = tuple(map(_mean, zip(*found, strict=True)))
    what = dict.fromkeys(_varying_types(moment.events, [events for _, events in others]))
    return DrawLuck(tuple(what), counted.count, counted.outcomes, mean)


def _mean(values: Sequence[float]) -> float:
    """The mean. It is exact for equal numbers, so that a draw without effect shows no luck."""
    first, *_ = values
    return first + sum(one - first for one in values) / len(values)


def _redraw(match: Match, moment: TimelineEntry) -> Redraw:
    """A function that repeats the decision, or the setup at the start."""
    game, move = match.game, moment.move
    if move is None:
        return lambda dice: _set_up(match, dice)

    def repeat(dice: Dice) -> Outcome:
        state = moment.before.copy()
        return state, engine.advance(game, state, move, dice)

    return repeat


def _set_up(match: Match, dice: Dice) -> Outcome:
    seats = len(match.chairs)
    events = engine.begin(match.game, match.setup, seats, dice)
    return fold(match.game.blank_state(match.setup, seats), events), events


def _varying_types(
    happened: Sequence[Event[Any]], others: Sequence[Sequence[Event[Any]]]
) -> Iterator[str]:
    """The types of those events that did not occur in every repetition."""
    for event in happened:
        if not isinstance(event, Awaiting) and any(event not in other for other in others):
            yield type(event).__name__
