"""Requests of the Emperor, and the order of command cards that a table agrees on: GW-16.3."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.events.changes import muster
from domain.games.great_wall.events.soldiers import withdraw
from domain.games.great_wall.state.counts import plus, without
from domain.games.great_wall.state.steps.requests import Kind
from domain.games.great_wall.state.steps.soldiers import Unit
from domain.games.great_wall.state.table import State


class RequestsOpened(Event[State]):
    """These Requests lie open from now on: GW-16.1, GW-16.13."""

    reveals: ClassVar[bool] = True

    requests: tuple[str, ...]

    def apply(self, state: State) -> None:
        """From the deck."""
        left = (card for card in state.request_deck if card not in self.requests)
        state.request_deck = tuple(left)
        state.requests = (*state.requests, *self.requests)


class RequestDeclared(Event[State]):
    """A seat declared an open Request; what it costs its seat is agreed to with it: GW-16.11."""

    seat: Seat
    request: str

    def apply(self, state: State) -> None:
        """Nothing is paid yet."""


class PaymentAgreed(Event[State]):
    """A seat agreed to pay what the declared Request asks of each player: GW-16.11."""

    seat: Seat
    request: str

    def apply(self, state: State) -> None:
        """Nothing is paid yet."""


class PaymentRefused(Event[State]):
    """A seat did not agree to pay for the declared Request, which stays open: GW-16.11."""

    seat: Seat
    request: str

    def apply(self, state: State) -> None:
        """Nobody pays."""


class ShareOffered(Event[State]):
    """A seat offered a share in what all pay together for the declared Request: GW-16.11."""

    seat: Seat
    request: str
    kind: Kind
    amount: int

    def apply(self, state: State) -> None:
        """Nothing is paid yet."""


class SharesMissing(Event[State]):
    """What was offered for the declared Request is not enough; it stays open: GW-16.11."""

    request: str
    kind: Kind
    amount: int  # how much is missing

    def apply(self, state: State) -> None:
        """Nobody pays."""


class SoldierSacrificed(Event[State]):
    """A soldier of a seat left the game for a Request: GW-16.11."""

    seat: Seat
    soldier: board.Soldier
    unit: Unit | None  # where it stood; null if it was in the pool

    def apply(self, state: State) -> None:
        """From wherever it was; Wound markers take the spots that it covered: GW-10.8."""
        clan = state.clans[self.seat]
        if self.unit is None:
            muster(clan, self.soldier, -1)
        else:
            withdraw(state, clan, self.unit)
        clan.lost = plus(clan.lost, board.SOLDIER_NUMBER[self.soldier])


class RequestFulfilled(Event[State]):
    """A Request was fulfilled; so many are fulfilled now: GW-16.11."""

    request: str
    fulfilled: int

    def apply(self, state: State) -> None:
        """It lies open no more."""
        state.requests = without(state.requests, self.request)
        state.fulfilled = (*state.fulfilled, self.request)


class RequestsBlamed(Event[State]):
    """Each player gets a Shame token for each of these open Requests: GW-16.13."""

    requests: tuple[str, ...]

    def apply(self, state: State) -> None:
        """The tokens are told by themselves."""


class OrderProposed(Event[State]):
    """A seat proposed another order of the command cards on the track: GW-16.3."""

    seat: Seat
    order: tuple[int, ...]

    def apply(self, state: State) -> None:
        """All others are asked anew."""


class OrderAgreed(Event[State]):
    """A seat agreed with the order that is proposed: GW-16.3."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Others may still answer."""


class OrderDeclined(Event[State]):
    """A seat did not agree with the order that is proposed: GW-16.3."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Others may still answer."""


class OrderSettled(Event[State]):
    """This order of the command cards holds: GW-16.3."""

    order: tuple[int, ...]
    by_tea: bool
    """Whether it is the Tea order, as too few agreed with another one."""

    def apply(self, state: State) -> None:
        """The cards are placed one by one."""
