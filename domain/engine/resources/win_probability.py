"""How likely a win is by the evaluations of all seats: curves that were fitted on bot matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files
from math import exp

import msgspec

FILE = "chances.json"
"""In the folder `data` of a game, written by `annals calibrate`."""
LATEST = 1.5
"""The stage of a match that lasts longer than usual grows no further than this."""


class Bin(msgspec.Struct, frozen=True):
    """Chances that are much alike, and what came of them, in matches that the curve had not seen:
    how many there were, their mean, and the share of the win that followed.
    """

    n: int
    said: float
    was: float


class Curve(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chances at a number of seats: softmax of `slope * value` over the seats.

    The slope changes with the stage of the match, that is decisions so far by those of a usual
    match: `slope + growth * stage`. No seat has a head start: where one is better off than others,
    the evaluations have to say so. A table that plays together has one, as nothing tells its
    evaluation what is even: `edge + edge_growth * stage` is added to the logit of its chance.
    """

    slope: float
    growth: float = 0.0
    usual: float = 1.0  # decisions of a match, in the mean
    edge: float = 0.0  # what speaks for a table that plays together where its evaluation is 0
    edge_growth: float = 0.0
    matches: int = 0  # on which it was fitted
    log_loss: float | None = None  # per state, in matches that the curve had not seen, in nats
    uniform: float | None = None  # what it would be if all seats were given the same chance
    bins: tuple[Bin, ...] = ()

    def stage(self, decided: int) -> float:
        """How far a match is after so many decisions: 0 at its beginning, 1 when most end."""
        return min(decided / self.usual, LATEST)

    def chances(self, values: Sequence[float], decided: int) -> tuple[float, ...]:
        """The chance of each seat, from its evaluation, after so many decisions; their sum is 1.

        Of a table that plays together, its chance and that of what it plays against.
        """
        stage = self.stage(decided)
        slope = max(0.0, self.slope + self.growth * stage)
        first, *others = (slope * value for value in values)
        return softmax([first + self.edge + self.edge_growth * stage, *others])

    def chance_together(self, values: Sequence[float], decided: int) -> float:
        """The chance of a table that plays together, from the evaluations of its seats."""
        return self.chances(against_the_game(values), decided)[0]


DEFAULT = Curve(0.1)
"""For what was never fitted: a lead of seven points makes a win about twice as likely."""


class Calibration(msgspec.Struct, frozen=True, omit_defaults=True):
    """The curves of a game by number of seats, and how they came about; none is no fit."""

    command: str = ""
    rules: int = 0  # version of the rules by which the matches were played
    levels: tuple[str, ...] = ()
    seats: Mapping[int, Curve] = {}  # in the mode that is usual
    modes: Mapping[str, Mapping[int, Curve]] = {}  # in the others

    def curve(self, seats: int, mode: str = "") -> Curve:
        """The curve for this number of seats, in the usual mode or another; or the default."""
        return self.by_mode.get(mode, {}).get(seats, DEFAULT)

    @property
    def by_mode(self) -> Mapping[str, Mapping[int, Curve]]:
        """The curves by mode, "" for the usual one, and number of seats."""
        return {"": self.seats, **self.modes}

    @property
    def mark(self) -> str:
        """What tells these curves from others."""
        return blake2b(msgspec.json.encode(self), digest_size=6).hexdigest()


def against_the_game(values: Sequence[float]) -> tuple[float, float]:
    """The evaluation of a table that plays together, the mean of those of its seats, and that of
    what it plays against, which is 0.
    """
    return sum(values) / len(values), 0.0


def softmax(logits: Sequence[float]) -> tuple[float, ...]:
    """Shares of 1 that grow with the exponential of each number."""
    most = max(logits)
    powers = [exp(logit - most) for logit in logits]
    total = sum(powers)
    return tuple(power / total for power in powers)


def read(package: str) -> Calibration:
    """What the folder of a game says of its curves; nothing if it has no such file."""
    found = files(package).joinpath("data", FILE)
    if not found.is_file():
        return Calibration()
    return msgspec.json.decode(found.read_bytes(), type=Calibration)
