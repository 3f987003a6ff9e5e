"""The steps of the agenda. All are public: the state holds the cards that lie face down."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Seat, Step


class FirstTurn(Step):
    """The active player builds one single: CC-3.2."""


class Turn(Step):
    """The active player begins one of the five actions: CC-3.1."""


class Second(Step, kw_only=True):
    """See whether this seat can build the second single, outside this region: CC-4.1."""

    seat: Seat
    region: str


class SecondSingle(Step, kw_only=True):
    """Build the second single outside this region: CC-4.1."""

    public_answers: ClassVar[bool] = True

    region: str


class AfterCard(Step, kw_only=True):
    """Lay a second card elsewhere, or build a single in the region of the first: CC-4.2, CC-4.3."""

    region: str


class Neutral(Step, kw_only=True):
    """See whether this seat may build a neutral wall inside or outside these regions: CC-11.2."""

    seat: Seat
    regions: tuple[str, ...]
    inside: bool


class OfferNeutral(Step, kw_only=True):
    """Build a neutral wall inside or outside these regions, or do not: CC-11.3."""

    regions: tuple[str, ...]
    inside: bool


class ForcedNeutral(Step):
    """Build a neutral wall, because no action is possible: CC-11.6."""

    public_answers: ClassVar[bool] = True


class ChooseOrder(Step, kw_only=True):
    """Choose which of these full regions scores first: CC-6.2."""

    regions: tuple[str, str]


class Score(Step, kw_only=True):
    """A region is full, and this seat is active: CC-6.1."""

    seat: Seat
    region: str


class NextCard(Step, kw_only=True):
    """Execute the lowest of the cards that wait in the region: CC-7.1."""

    region: str


class UseCard(Step, kw_only=True):
    """The owner of a card decides what it does: CC-7.1."""

    region: str
    number: int


class Majority(Step, kw_only=True):
    """The cards of the region are done, and it pays: CC-6.5."""

    seat: Seat
    region: str


class Extend(Step):
    """Add a board at one end: CC-8.2."""


class NextTurn(Step, kw_only=True):
    """Find who is next after this seat, and how many first turns are still to come: CC-3.1."""

    seat: Seat
    opening: int = 0


AnyStep = (
    FirstTurn
    | Turn
    | Second
    | SecondSingle
    | AfterCard
    | Neutral
    | OfferNeutral
    | ForcedNeutral
    | ChooseOrder
    | Score
    | NextCard
    | UseCard
    | Majority
    | Extend
    | NextTurn
)
