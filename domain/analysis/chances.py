"""The chance of each seat to win: its evaluation, put through the fitted curve of the game."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.engine.codecs import json_codec
from domain.engine.game import Game, evaluate, seats_to_move
from domain.engine.play import Seat
from domain.engine.scoring import Scoring
from domain.match.state import Match

Chances = tuple[float, ...]
"""By seat. The sum is 1; at a cooperative table all seats have the same chance."""


class Stage(NamedTuple):
    """How far a match is, as far as its position does not show it."""

    seats: int
    decided: int = 0  # decisions so far
    resigned: frozenset[Seat] = (
        frozenset()
    )  # seats that resigned; they win only if all seats resigned
    mode: str = ""  # "" for the default mode
    is_cooperative: bool = False  # all seats win or lose together

    def later(self, decisions: int = 1) -> Stage:
        """The stage after more decisions."""
        return self._replace(decided=self.decided + decisions)


def start_stage(match: Match) -> Stage:
    """The stage before the first decision; that of a match from a position is in the middle of a
    usual one.
    """
    game = match.game
    start = Stage(
        seats=len(match.chairs),
        mode=game.non_default_mode(json_codec.read_options(game, match.options)),
        is_cooperative=game.is_cooperative(match.setup),
    )
    if match.position is None:
        return start
    usual = game.resources.calibration.curve(start.seats, start.mode).usual_decisions
    return start.later(round(usual / 2))


def chances(game: Game[Any], state: Any, stage: Stage) -> Chances:  # noqa: ANN401  any game
    """The chance of each seat to win; its share of the win once the game is over.

    Reads hidden information too, so do not show the result during a match.
    """
    if not seats_to_move(state):
        return win_shares(game.scoring(state), stage.resigned)
    values = [evaluate(game, state, seat) for seat in range(stage.seats)]
    curve = game.resources.calibration.curve(stage.seats, stage.mode)
    if stage.is_cooperative:
        chance = curve.chance_of_table(values, stage.decided)
        return tuple(0.0 if seat in stage.resigned else chance for seat in range(stage.seats))
    all_chances = curve.chances(values, stage.decided)
    return _rescale(all_chances, stage.resigned) if stage.resigned else all_chances


def win_shares(scoring: Scoring, resigned: frozenset[Seat] = frozenset()) -> Chances:
    """The share of the win of each seat; seats in `out` rank after all others."""
    if scoring.won is not None:
        return tuple(
            0.0 if line.seat in resigned else scoring.share(line.seat) for line in scoring.lines
        )
    standing = [line for line in scoring.lines if line.seat not in resigned] or scoring.lines
    first = min(line.rank for line in standing)
    winners = [line.seat for line in standing if line.rank == first]
    return tuple((line.seat in winners) / len(winners) for line in scoring.lines)


def _rescale(all_chances: Chances, resigned: frozenset[Seat]) -> Chances:
    """The chances scaled to those who are not out; unchanged if all are out."""
    left = [0.0 if seat in resigned else chance for seat, chance in enumerate(all_chances)]
    total = sum(left)
    return tuple(chance / total for chance in left) if total else all_chances
