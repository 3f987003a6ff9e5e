"""The error of a decision: how much of the chance to win it gave away, by what its seat knew."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, NamedTuple

from domain.analysis.chances import Stage, chances
from domain.analysis.luck import Counted
from domain.analysis.search_budget import Effort
from domain.engine.dice import Dice, Luck
from domain.engine.game import Game, advance, as_it_is
from domain.engine.play import Move

SEEDS = 1 << 32
"""Of the dice of a sample: all moves of a sample share one, so they are compared under one luck."""


class Weighed(NamedTuple):
    """How good a decision was."""

    best: Move | None  # the better alternative; None if there was none among those looked at
    error: float  # chance that the best has more than what was played; from 0


def weigh(
    game: Game[Any],
    state: Any,  # noqa: ANN401  any game
    played: Move,
    legal: Sequence[Move],
    stage: Stage,
    effort: Effort,
    dice: Dice,
) -> Weighed:
    """Compare the move that was played with others that were legal, in positions that its seat
    could not tell from the real one; `stage` is that after the move.
    """
    others = [move for move in _spread(legal, effort.glances) if move != played]
    table = _Table(game, state, played, stage, dice)
    candidates = [played, *table.shortlist(others)[: effort.candidates]]
    totals = table.totals(candidates, effort.samples)
    best = totals.index(max(totals))  # the one that was played if none is better
    if best == 0:
        return Weighed(None, 0.0)
    return Weighed(candidates[best], totals[best] - totals[0])


def accuracy(error: float) -> float:
    """The accuracy of a decision from 0 to 100, on the scale of lichess; `error` from 0 to 1."""
    return max(0.0, min(100.0, 103.1668 * exp(-0.04354 * 100 * error) - 3.1669))


def _spread(moves: Sequence[Move], most: int) -> Sequence[Move]:
    """At most so many, at equal distances: neighbours are often much alike."""
    if len(moves) <= most:
        return moves
    return [moves[place * len(moves) // most] for place in range(most)]


class _Table(NamedTuple):
    """The decision to be weighed."""

    game: Game[Any]
    state: Any
    played: Move
    stage: Stage
    dice: Dice

    def shortlist(self, moves: Sequence[Move]) -> list[Move]:
        """The moves by the bot's evaluation of what they lead to in one imagined position, the best
        first.
        """
        imagined, seed = self._imagined()
        values = []
        for move in moves:
            after = imagined.copy()
            advance(self.game, after, move, Luck(seed))
            values.append(self.game.evaluate(after, move.seat))
        order = sorted(range(len(moves)), key=values.__getitem__, reverse=True)
        return [moves[place] for place in order]

    def totals(self, moves: Sequence[Move], samples: int) -> list[float]:
        """The mean chance of the seat after each of these moves; of one sample if all are the same,
        since nothing is hidden and no dice fall.
        """
        totals = [0.0] * len(moves)
        for _ in range(samples):
            imagined, seed = self._imagined()
            fell = 0
            for place, move in enumerate(moves):
                after, luck = imagined.copy(), Counted(Luck(seed))
                advance(self.game, after, move, luck)
                totals[place] += chances(self.game, after, self.stage)[move.seat]
                fell += luck.fell
            if not fell and self.game.imagine is as_it_is:
                return totals
        return [total / samples for total in totals]

    def _imagined(self) -> tuple[Any, int]:
        """A position that the seat could not tell from the real one, and a seed for the dice."""
        imagined = self.game.imagine(self.state, self.played.seat, self.dice)
        return imagined, self.dice.below(SEEDS)
