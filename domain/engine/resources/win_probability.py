"""From the evaluations of all seats to their chances to win, by curves fitted to bot matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files
from math import exp

import msgspec

FILE_NAME = "chances.json"
"""In the folder `data` of a game; `annals calibrate` writes it."""
MAX_STAGE = 1.5
"""Maximum stage, for matches that last longer than usual."""


class Bin(msgspec.Struct, frozen=True):
    """Predictions of about the same chance on held-out matches: their number, their mean, and the
    share of wins that followed.
    """

    count: int
    predicted: float
    observed: float


class Curve(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chances for a number of seats: the softmax of `slope * value` over the seats.

    The slope depends on the stage of the match (decisions so far divided by those of a usual
    match): `slope + growth * stage`. No seat has a head start, so evaluations must include any
    advantage. For a cooperative table `edge + edge_growth * stage` is added to the logit of its
    chance, because its evaluation has no natural zero.
    """

    slope: float
    growth: float = 0.0
    usual_decisions: float = 1.0  # mean number of decisions of a match
    edge: float = 0.0  # logit of a cooperative table whose evaluation is 0
    edge_growth: float = 0.0
    matches: int = 0  # number of matches it was fitted to
    log_loss: float | None = None  # per state on held-out matches, in nats
    uniform_log_loss: float | None = None  # log loss if all seats had the same chance
    bins: tuple[Bin, ...] = ()

    def stage(self, decided: int) -> float:
        """The stage of a match after a number of decisions: 0 at its start, 1 when most matches
        end.
        """
        return min(decided / self.usual_decisions, MAX_STAGE)

    def chances(self, values: Sequence[float], decided: int) -> tuple[float, ...]:
        """The chance of each seat from their evaluations, after a number of decisions; the sum is
        1.

        For a cooperative table: its chance, and that of the game.
        """
        stage = self.stage(decided)
        slope = max(0.0, self.slope + self.growth * stage)
        first, *others = (slope * value for value in values)
        return softmax([first + self.edge + self.edge_growth * stage, *others])

    def chance_of_table(self, values: Sequence[float], decided: int) -> float:
        """The chance of a cooperative table, from the evaluations of its seats."""
        return self.chances(against_the_game(values), decided)[0]


DEFAULT = Curve(0.1)
"""Used where nothing was fitted: a lead of seven points makes a win about twice as likely."""


class Calibration(msgspec.Struct, frozen=True, omit_defaults=True):
    """The curves of a game by number of seats, and how they were fitted. Without curves: not
    fitted.
    """

    command: str = ""
    rules: int = 0  # version of the rules in the fitted matches
    levels: tuple[str, ...] = ()
    seats: Mapping[int, Curve] = {}  # in the default mode
    modes: Mapping[str, Mapping[int, Curve]] = {}  # in the other modes

    def curve(self, seats: int, mode: str = "") -> Curve:
        """The curve for a number of seats, in a mode ("" is the default mode), or the default
        curve.
        """
        return self.by_mode.get(mode, {}).get(seats, DEFAULT)

    @property
    def by_mode(self) -> Mapping[str, Mapping[int, Curve]]:
        """The curves by mode ("" is the default mode) and number of seats."""
        return {"": self.seats, **self.modes}

    @property
    def mark(self) -> str:
        """A hash that identifies these curves."""
        return blake2b(msgspec.json.encode(self), digest_size=6).hexdigest()


def against_the_game(values: Sequence[float]) -> tuple[float, float]:
    """The evaluations of a cooperative table (the mean of its seats) and of the game (0)."""
    return sum(values) / len(values), 0.0


def softmax(logits: Sequence[float]) -> tuple[float, ...]:
    """The exponentials of the logits, scaled to a sum of 1."""
    largest = max(logits)
    powers = [exp(logit - largest) for logit in logits]
    total = sum(powers)
    return tuple(power / total for power in powers)


def read(package: str) -> Calibration:
    """The curves in the folder of a game; an empty calibration if there is no file."""
    found = files(package).joinpath("data", FILE_NAME)
    if not found.is_file():
        return Calibration()
    return msgspec.json.decode(found.read_bytes(), type=Calibration)
