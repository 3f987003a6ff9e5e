"""Hints: the best moves of a seat by the evaluation of its game, and what they change.

A hint uses only what the seat knows: it compares moves in positions that the seat considers
possible, and counts as changed only what changes in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from domain.analysis.chances import Stage, chances, start_stage
from domain.analysis.errors import SEED_RANGE, pick_evenly
from domain.engine.dice import Dice, Luck
from domain.engine.game import Game, advance, evaluate, fold, preview
from domain.engine.play import Move, Seat
from domain.match.state import Match

InSteps = Callable[[Iterable[Any]], Iterator[Any]]
"""Goes through items, and may let other work run between them."""
MAX_HINTS = 3
MAX_GLANCED = 240
"""Maximum number of legal moves that are evaluated at all, evenly spaced among more."""
MAX_CANDIDATES = 6
"""Number of moves that are compared in several positions."""
POSITIONS = 8
"""Number of positions that the seat considers possible, for each of these."""
MAX_AVERAGED = 12
"""Maximum number of legal moves of which an average is taken, evenly spaced among more."""


class Hint(NamedTuple):
    """A good move, the chance of its seat to win after it and on average after any legal move, and
    what it changes for certain: the parts of its points, and the points of other seats, as far as
    it sees them.

    The chance before the move says nothing about it: evaluations count that a seat is to move.
    """

    move: Move
    after: float
    average: float
    parts: Mapping[str, int]
    others: Mapping[Seat, int]


class _Possible(NamedTuple):
    """A position that the seat considers possible, and a seed of dice that all moves share."""

    state: Any
    seed: int


class HintSearch:
    """The search for the best moves of a seat, in steps of one move in one position."""

    def __init__(
        self,
        game: Game[Any],
        state: Any,  # noqa: ANN401  any game
        seat: Seat,
        stage: Stage,
        dice: Dice,
        in_steps: InSteps = iter,
    ) -> None:
        self._game, self._seat, self._stage, self._in_steps = game, seat, stage, in_steps
        self._positions = [
            _Possible(game.imagine(state, seat, dice), dice.below(SEED_RANGE))
            for _ in in_steps(range(POSITIONS))
        ]

    def glance(self, moves: Sequence[Move]) -> Iterator[tuple[float, Move]]:
        """Yield the value of each move in one of the positions."""
        for move in self._in_steps(pick_evenly(moves, MAX_GLANCED)):
            after = self._advance(self._positions[0], move)
            yield evaluate(self._game, after, self._seat), move

    def chances_after(self, moves: Sequence[Move]) -> Iterator[float]:
        """Yield the chance to win after each of some of these moves."""
        for move in pick_evenly(moves, MAX_AVERAGED):
            yield self._chance_after(move)

    def compare(self, glanced: Sequence[tuple[float, Move]], average: float) -> Iterator[Hint]:
        """Yield a hint for each of the best of these moves, in any order, with the average chance
        after any move.
        """
        ordered = sorted(glanced, key=lambda one: -one[0])
        for _, move in ordered[:MAX_CANDIDATES]:
            yield Hint(move, self._chance_after(move), average, *self._find_changes(move))

    def _advance(self, possible: _Possible, move: Move) -> Any:  # noqa: ANN401  any game
        after = possible.state.copy()
        advance(self._game, after, move, Luck(possible.seed))
        return after

    def _chance_after(self, move: Move) -> float:
        """The mean of the chances after a move in all positions."""
        stage = self._stage.later()
        return fmean(
            chances(self._game, self._advance(one, move), stage)[self._seat]
            for one in self._in_steps(self._positions)
        )

    def _find_changes(self, move: Move) -> tuple[Mapping[str, int], Mapping[Seat, int]]:
        """What a move changes in all positions, before chance or hidden information."""
        found = [self._changes_in(one.state, move) for one in self._in_steps(self._positions)]
        parts, others = zip(*found, strict=True)
        return _keep_certain(parts), _keep_certain(others)

    def _changes_in(
        self,
        state: Any,  # noqa: ANN401  any game
        move: Move,
    ) -> tuple[Mapping[str, int], Mapping[Seat, int]]:
        game, seat = self._game, self._seat
        after = fold(state.copy(), preview(game, state, move))
        parts = [game.score_parts.of(game.scoring(one).lines[seat]) for one in (state, after)]
        points = [game.view(one, seat).scores for one in (state, after)]
        seen = {
            other: (old, new)
            for other, (old, new) in enumerate(zip(*points, strict=True))
            if other != seat and old is not None and new is not None
        }
        before, later = parts
        gains = {name: later.get(name, 0) - before.get(name, 0) for name in {**before, **later}}
        return gains, {other: new - old for other, (old, new) in seen.items()}


def allows_hints(match: Match) -> bool:
    """Whether a player may ask for hints: only in unrated matches of one person with one seat,
    where they help only against bots.
    """
    people = [chair for chair in match.chairs if chair.player or chair.invited or chair.free]
    return match.unrated is not None and len(people) == 1


def current_stage(match: Match) -> Stage:
    """How far a match in play is."""
    resigned = frozenset(seat for seat, chair in enumerate(match.chairs) if chair.resigned)
    decisions = sum(bool(point.move) for point in match.line)
    return start_stage(match).later(decisions)._replace(resigned=resigned)


def _keep_certain(changes: Sequence[Mapping[Any, int]]) -> Mapping[Any, int]:
    """The changes that are the same, and not 0, in all positions."""
    first, *others = changes
    return {
        name: change
        for name, change in first.items()
        if change and all(one.get(name) == change for one in others)
    }
