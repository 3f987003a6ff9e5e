"""What can happen in the course of the game, from the first tile to the end."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.chang_cheng import board as box
from domain.games.chang_cheng.events.changes import pay
from domain.games.chang_cheng.state.table import OPEN, Category, EndReason, State

_RULES = {"diplomat": "CC-12.2", "hegemon": "CC-12.3", "imperial_reward": "CC-12.4"}
"""By event card, its rule."""


class FirstPlayerChosen(Event[State]):
    """CC-2.4: this seat begins."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Note who began."""
        state.first = self.seat


class BoardsLaid(Event[State]):
    """CC-2.1: these boards lie in play, from left to right."""

    boards: tuple[box.BoardName, ...]

    def apply(self, state: State) -> None:
        """One row."""
        state.lay(tuple(box.BOARD_NUMBER[board] for board in self.boards))


class EventCardsOpened(Event[State]):
    """CC-12.1: these event cards lie open."""

    cards: tuple[box.EventCard, ...]

    def apply(self, state: State) -> None:
        """They hold for the whole game."""
        state.events = self.cards


class TilesPlaced(Event[State]):
    """Prestige face up, threats face down on a board, from left to right."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("threats",)
    reveals: ClassVar[bool] = True

    board: box.BoardName
    prestige: tuple[int, ...]
    threats: tuple[int | None, ...]
    rule: str = "CC-8.3"

    def apply(self, state: State) -> None:
        """From the piles to the regions."""
        start = box.BOARD_NUMBER[self.board] * box.REGIONS
        for number, (prestige, threat) in enumerate(zip(self.prestige, self.threats, strict=True)):
            assert threat is not None, "a redacted event cannot be folded"
            state.prestige[start + number] = prestige
            state.threats[start + number] = threat


class TurnBegan(Event[State]):
    """CC-3.1: this seat is active now."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Count the turns."""
        state.turn += 1


class TurnSkipped(Event[State]):
    """CC-4.7: a seat can do nothing, and so the turn went on to the next."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Nothing changes on the table."""


class NeutralDeclined(Event[State]):
    """CC-11.2: a seat built no neutral wall."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Nothing changes on the table."""


class EmperorPlaced(Event[State]):
    """CC-8.1: an emperor card lies on the region now."""

    seat: Seat
    region: str

    def apply(self, state: State) -> None:
        """From the supply to the region."""
        state.emperors = (*state.emperors, self.region)


class BoardAdded(Event[State]):
    """CC-8.2: a seat added a board at one end, and the emperor cards are back in the supply."""

    seat: Seat
    board: box.BoardName
    boards: tuple[box.BoardName, ...]

    def apply(self, state: State) -> None:
        """A longer row."""
        state.lay(tuple(box.BOARD_NUMBER[board] for board in self.boards))
        state.extensions -= 1
        state.emperors = ()


class MongolsInvaded(Event[State]):
    """CC-10.2: the threat of a region, standing cells by seat, shielded seats and payers."""

    reveals: ClassVar[bool] = True

    region: str
    threat: int
    walls: tuple[int, ...]
    neutral: int
    shielded: tuple[Seat, ...]
    payers: tuple[Seat, ...]

    def apply(self, state: State) -> None:
        """The tile lies open, and its value is lost."""
        state.known[box.MONGOL_NUMBER[self.region]] = OPEN
        for seat in self.payers:
            pay(state, seat, "invasion", -self.threat)


class EventCardScored(Event[State]):
    """What an event card counted by seat, and the points that came of it."""

    card: Category
    counts: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def rule(self) -> str:
        """The rule of the card."""
        return _RULES[self.card]

    def apply(self, state: State) -> None:
        """Points by seat."""
        for seat, points in enumerate(self.points):
            pay(state, seat, self.card, points)


class GameEnded(Event[State]):
    """CC-10.1: the game is over, and all see the hands."""

    reveals: ClassVar[bool] = True

    reason: EndReason
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]

    def apply(self, state: State) -> None:
        """Note how it ended, and for whom."""
        state.ended = self.reason
        state.winners = self.winners
