"""The chance to win of each seat: its evaluation, by the curve that was fitted to the game."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.engine.game import Game, awaited
from domain.engine.play import Seat
from domain.engine.scoring import Scoring

Chances = tuple[float, ...]
"""By seat; their sum is 1, and where all play together they are all the same."""


class Stage(NamedTuple):
    """What a position does not tell of how far its match is."""

    seats: int
    decided: int = 0  # decisions so far
    out: frozenset[Seat] = frozenset()  # seats that resigned: they win only if all did
    mode: str = ""  # the mode, if it is not the usual one
    together: bool = False  # all win or none does

    def later(self, decisions: int = 1) -> Stage:
        """So many decisions on."""
        return self._replace(decided=self.decided + decisions)


def chances(game: Game[Any], state: Any, stage: Stage) -> Chances:  # noqa: ANN401  any game
    """The chance of each seat to win; its share of the win once the game is over.

    The state is looked at as it is, what is hidden in it too: nothing to be told during a match.
    """
    if not awaited(state):
        return shares(game.scoring(state), stage.out)
    values = [game.evaluate(state, seat) for seat in range(stage.seats)]
    curve = game.calibration.curve(stage.seats, stage.mode)
    if stage.together:
        chance = curve.chance_together(values, stage.decided)
        return tuple(0.0 if seat in stage.out else chance for seat in range(stage.seats))
    told = curve.chances(values, stage.decided)
    return _among(told, stage.out) if stage.out else told


def shares(scoring: Scoring, out: frozenset[Seat] = frozenset()) -> Chances:
    """The share of the win of each seat: those that are out come after all others."""
    if scoring.won is not None:
        return tuple(
            0.0 if line.seat in out else scoring.share(line.seat) for line in scoring.lines
        )
    standing = [line for line in scoring.lines if line.seat not in out] or scoring.lines
    first = min(line.rank for line in standing)
    winners = [line.seat for line in standing if line.rank == first]
    return tuple((line.seat in winners) / len(winners) for line in scoring.lines)


def _among(told: Chances, out: frozenset[Seat]) -> Chances:
    """The same proportions among those who are not out; as they are if nobody is left."""
    left = [0.0 if seat in out else chance for seat, chance in enumerate(told)]
    total = sum(left)
    return tuple(chance / total for chance in left) if total else told
