"""The table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self

import msgspec

from domain.engine.constraints import ONE_PER_SEAT, Size
from tests.engine.toy.board import SIDES, VALUES
from tests.engine.toy.state.setup import Setup

EndReason = Literal["cards", "rounds"]
Count = Annotated[int, msgspec.Meta(ge=0)]
ONE_PER_VALUE = Size("value", lambda _: len(VALUES))
Card = Annotated[int, msgspec.Meta(ge=VALUES[0], le=VALUES[-1])]


@dataclass(slots=True)
class State:
    """Everything on the table and in the hands; cards in a hand are in the order of values."""

    setup: Setup
    bag: Annotated[list[Count], ONE_PER_VALUE]
    hands: Annotated[list[list[Card]], ONE_PER_SEAT]
    points: Annotated[list[Count], ONE_PER_SEAT]
    sealed: Annotated[list[Card | None], ONE_PER_SEAT]
    round: int = 0
    prize: Annotated[int, msgspec.Meta(ge=0, le=SIDES)] = 0
    reason: EndReason | Literal[""] = ""
    agenda: list[Any] = field(default_factory=list)

    def copy(self) -> Self:
        """Return an equal, independent state."""
        return type(self)(
            self.setup,
            self.bag[:],
            [hand[:] for hand in self.hands],
            self.points[:],
            self.sealed[:],
            self.round,
            self.prize,
            self.reason,
            self.agenda[:],
        )


def blank(setup: Setup, seats: int) -> State:
    """An empty table."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    return State(setup, list(setup.bag), hands, [0] * seats, [None] * seats)
