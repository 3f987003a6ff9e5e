"""The luck of a draw: the chances after it, less those that it could be expected to leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.analysis.chances import Chances, Stage, chances
from domain.analysis.timeline import Moment
from domain.engine import game as engine
from domain.engine.dice import Dice, Luck
from domain.engine.game import fold
from domain.engine.play import Awaiting, Event
from domain.match.dice import KeyedDice
from domain.match.state import Match

Outcome = tuple[Any, Sequence[Event[Any]]]
"""A position, and the events that led to it."""
Again = Callable[[Dice], Outcome]
"""What would have come of the same decision with these dice."""


class Drawn(NamedTuple):
    """What chance decided in one entry."""

    what: tuple[str, ...]  # the types of the events that could have been others
    dice: int  # how many numbers fell
    outcomes: float  # how many ways there were for them to fall
    mean: Chances  # of what could have been drawn


class Counted:
    """Dice that count the numbers that fall, and in how many ways they could fall."""

    __slots__ = ("_dice", "fell", "outcomes")

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.fell = 0
        self.outcomes = 1.0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        self.fell += 1
        self.outcomes *= n
        return self._dice.below(n)


def drawn(match: Match, moment: Moment, stage: Stage, redraws: int) -> Drawn:
    """Draw again so many times, from the same position and after the same move; `stage` is that
    after the moment.
    """
    assert moment.draw is not None
    again = _again(match, moment)
    counted = Counted(KeyedDice(match.dice_key, moment.draw))
    again(counted)
    others = [again(Luck(f"{match.id} {moment.version} draw {n}")) for n in range(redraws)]
    found = [chances(match.game, state, stage) for state, _ in others]
    mean = tuple(map(_mean, zip(*found, strict=True)))
    what = dict.fromkeys(_left_to_chance(moment.events, [events for _, events in others]))
    return Drawn(tuple(what), counted.fell, counted.outcomes, mean)


def _mean(told: Sequence[float]) -> float:
    """The mean; of numbers that are all the same just that, so that what no draw changes is not
    taken for a tiny luck.
    """
    first, *_ = told
    return first + sum(one - first for one in told) / len(told)


def _again(match: Match, moment: Moment) -> Again:
    """The same decision once more; the start is one, of nobody."""
    game, move = match.game, moment.move
    if move is None:
        return lambda dice: _begun(match, dice)

    def decided(dice: Dice) -> Outcome:
        state = moment.before.copy()
        return state, engine.advance(game, state, move, dice)

    return decided


def _begun(match: Match, dice: Dice) -> Outcome:
    seats = len(match.chairs)
    events = engine.begin(match.game, match.setup, seats, dice)
    return fold(match.game.blank(match.setup, seats), events), events


def _left_to_chance(
    happened: Sequence[Event[Any]], others: Sequence[Sequence[Event[Any]]]
) -> Iterator[str]:
    """The types of what happened and did not happen each time."""
    for event in happened:
        if not isinstance(event, Awaiting) and any(event not in other for other in others):
            yield type(event).__name__
