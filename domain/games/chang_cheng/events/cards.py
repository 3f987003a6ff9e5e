"""Events of cards and of the scoring of a region."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.chang_cheng.board import (
    CELL_NUMBER,
    CHINA_NUMBER,
    GREAT_ARCHITECT,
    MONGOL_NUMBER,
)
from domain.games.chang_cheng.events.changes import count_up, leave, pay, touch
from domain.games.chang_cheng.state.table import RUINED, Card, Paid, State, Tally


class CardLaid(Event[State]):
    """CC-4.2: a seat laid a card in a region; which one only its owner knows."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("number",)

    seat: Seat
    region: str
    number: int | None

    def apply(self, state: State) -> None:
        """From the hand to the region, face down."""
        assert self.number is not None, "a redacted event cannot be folded"
        state.hands[self.seat] &= ~(1 << self.number)
        state.laid = (*state.laid, Card(self.seat, self.number, self.region))
        touch(state, self.seat, regions=(self.region,))


class ScoringBegan(Event[State]):
    """CC-6.1: a region is full."""

    seat: Seat
    region: str

    def apply(self, state: State) -> None:
        """Start counting the changes by cards."""
        state.scored[CHINA_NUMBER[self.region]] = 1
        state.tally = Tally(self.region, (), 0, (0,) * state.seats)
        touch(state, self.seat, regions=(self.region,))


class CardsRevealed(Event[State]):
    """CC-6.3: all cards in the region were turned face up, from the lowest."""

    reveals: ClassVar[bool] = True

    region: str
    cards: tuple[Card, ...]

    def apply(self, state: State) -> None:
        """They wait."""
        state.laid = tuple([card for card in state.laid if card.region != self.region])
        count_up(state, waiting=self.cards)


class CardsCancelled(Event[State]):
    """CC-7.2: cards with the same number removed one another."""

    region: str
    cards: tuple[Card, ...]

    def apply(self, state: State) -> None:
        """They leave the game."""
        leave(state, *self.cards)


class CardStruck(Event[State]):
    """CC-7.3: a Warrior removed another card that waited."""

    card: Card
    struck: Card

    def apply(self, state: State) -> None:
        """Both leave the game."""
        leave(state, self.card, self.struck)


class WallDestroyed(Event[State]):
    """CC-7.4: a Traitor made a ruin of a single; the colour is a seat, or null if neutral."""

    card: Card
    cell: str
    colour: Seat | None

    def apply(self, state: State) -> None:
        """The cell stays filled."""
        state.cells[CELL_NUMBER[self.cell]] += RUINED
        leave(state, self.card)
        touch(state, None, cells=(self.cell,))


class ThreatRemoved(Event[State]):
    """CC-7.4: a Traitor removed a threat tile that stays secret."""

    card: Card
    region: str

    def apply(self, state: State) -> None:
        """The tile leaves the game."""
        state.removed[MONGOL_NUMBER[self.region]] = 1
        leave(state, self.card)


class ValueChanged(Event[State]):
    """CC-7.5: a Flood or an Architect changed the value of the region."""

    card: Card
    change: int

    def apply(self, state: State) -> None:
        """Add it up."""
        assert state.tally is not None
        count_up(state, change=state.tally.change + self.change)
        leave(state, self.card)


class WallsAdded(Event[State]):
    """A card counts as walls of its owner in this scoring."""

    card: Card
    walls: int

    @property
    def rule(self) -> str:
        """The rule of the card."""
        return "CC-7.6" if self.card.number == GREAT_ARCHITECT else "CC-7.5"

    def apply(self, state: State) -> None:
        """Add them up."""
        assert state.tally is not None
        extra = list(state.tally.extra)
        extra[self.card.seat] += self.walls
        count_up(state, extra=tuple(extra))
        leave(state, self.card)


class WallsSwapped(Event[State]):
    """CC-7.7: an Official made two singles trade places; what stands on each cell now."""

    card: Card
    cells: tuple[str, str]
    colours: tuple[Seat | None, Seat | None]

    def apply(self, state: State) -> None:
        """For good."""
        one, other = (CELL_NUMBER[cell] for cell in self.cells)
        state.cells[one], state.cells[other] = state.cells[other], state.cells[one]
        leave(state, self.card)
        touch(state, None, cells=self.cells)


class CardUnused(Event[State]):
    """CC-7.1: the owner declined to use a card, or it had no target."""

    card: Card
    declined: bool

    def apply(self, state: State) -> None:
        """It leaves the game."""
        leave(state, self.card)


class RegionScored(Event[State]):
    """CC-6.5: the value of a region and where it comes from; walls by seat; who scored."""

    region: str
    size: int
    ruins: int
    prestige: int
    change: int
    value: int
    walls: tuple[int, ...]
    extra: tuple[int, ...]
    neutral: int
    winners: tuple[Seat, ...]

    def apply(self, state: State) -> None:
        """The value to each of the winners."""
        state.tally = None
        state.paid += (Paid(self.region, self.value, self.winners),)
        for seat in self.winners:
            pay(state, seat, "regions", self.value)
