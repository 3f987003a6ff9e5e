"""The error of a decision: how much chance to win it gave away, given what its seat knew."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, NamedTuple

from domain.analysis.chances import Stage, chances
from domain.analysis.luck import CountingDice
from domain.analysis.search_budget import SearchBudget
from domain.engine.defaults import identity
from domain.engine.dice import Dice, Luck
from domain.engine.game import Game, advance, evaluate
from domain.engine.play import Move

SEED_RANGE = 1 << 32
"""Number of seeds for the dice of a sample. All moves of a sample use the same seed."""


class DecisionError(NamedTuple):
    """The quality of a decision."""

    best: Move | None  # the better alternative; None if none was found
    error: float  # chance of the best move less that of the played one; 0 or more


def decision_error(
    game: Game[Any],
    state: Any,  # noqa: ANN401  any game
    played: Move,
    legal: Sequence[Move],
    stage: Stage,
    budget: SearchBudget,
    dice: Dice,
) -> DecisionError:
    """Compare the played move with legal alternatives, in positions that its seat considered
    possible.

    `stage` is the stage after the move.
    """
    others = [move for move in pick_evenly(legal, budget.cheap_moves) if move != played]
    table = _Comparison(game, state, played, stage, dice)
    candidates = [played, *table.shortlist(others)[: budget.candidates]]
    totals = table.totals(candidates, budget.samples)
    best = totals.index(max(totals))  # the played move comes first, so it wins ties
    if best == 0:
        return DecisionError(None, 0.0)
    return DecisionError(candidates[best], totals[best] - totals[0])


def accuracy(error: float) -> float:
    """The accuracy of a decision from 0 to 100, on the scale of lichess; `error` is from 0 to 1."""
    return max(0.0, min(100.0, 103.1668 * exp(-0.04354 * 100 * error) - 3.1669))


def pick_evenly(moves: Sequence[Move], limit: int) -> Sequence[Move]:
    """At most this number of moves, evenly spaced: neighbours are often similar."""
    if len(moves) <= limit:
        return moves
    return [moves[place * len(moves) // limit] for place in range(limit)]


class _Comparison(NamedTuple):
    """The decision under comparison."""

    game: Game[Any]
    state: Any
    played: Move
    stage: Stage
    dice: Dice

    def shortlist(self, moves: Sequence[Move]) -> list[Move]:
        """The moves in order of the bot's evaluation after them in one imagined position, best
        first.
        """
        imagined, seed = self._imagine()
        values = []
        for move in moves:
            after = imagined.copy()
            advance(self.game, after, move, Luck(seed))
            values.append(evaluate(self.game, after, move.seat))
        order = sorted(range(len(moves)), key=values.__getitem__, reverse=True)
        return [moves[place] for place in order]

    def totals(self, moves: Sequence[Move], samples: int) -> list[float]:
        """The mean chance of the seat after each of these moves.

        One sample suffices if no information is hidden and no dice fall.
        """
        totals = [0.0] * len(moves)
        for _ in range(samples):
            imagined, seed = self._imagine()
            numbers = 0
            for place, move in enumerate(moves):
                after, luck = imagined.copy(), CountingDice(Luck(seed))
                advance(self.game, after, move, luck)
                totals[place] += chances(self.game, after, self.stage)[move.seat]
                numbers += luck.count
            if not numbers and self.game.imagine is identity:
                return totals
        return [total / samples for total in totals]

    def _imagine(self) -> tuple[Any, int]:
        """A position that the seat considered possible, and a seed for the dice."""
        imagined = self.game.imagine(self.state, self.played.seat, self.dice)
        return imagined, self.dice.below(SEED_RANGE)
