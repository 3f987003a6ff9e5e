"""Requests of the Emperor, and the order of command cards that the players agree on: GW-16.3."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.events.changes import muster
from domain.games.great_wall.events.soldiers import withdraw
from domain.games.great_wall.state.agenda.requests import Kind
from domain.games.great_wall.state.agenda.soldiers import Unit
from domain.games.great_wall.state.counts import plus, without
from domain.games.great_wall.state.table import State


class RequestsOpened(Event[State]):
    """The table opened these Requests."""

    reveals: ClassVar[bool] = True

    requests: tuple[str, ...]
    rule: str = "GW-16.13"

    def apply(self, state: State) -> None:
        """Move them out of the deck."""
        left = (card for card in state.request_deck if card not in self.requests)
        state.request_deck = tuple(left)
        state.requests = (*state.requests, *self.requests)


class RequestDeclared(Event[State]):
    """A seat declared an open Request, and so agreed to pay its own part: GW-16.11."""

    seat: Seat
    request: str

    def apply(self, state: State) -> None:
        """Change nothing: the players have not paid yet."""


class PaymentAgreed(Event[State]):
    """A seat agreed to pay what the declared Request asks of each player: GW-16.11."""

    seat: Seat
    request: str

    def apply(self, state: State) -> None:
        """Change nothing: the players have not paid yet."""


class PaymentRefused(Event[State]):
    """A seat refused to pay for the declared Request, which stays open: GW-16.11."""

    seat: Seat
    request: str

    def apply(self, state: State) -> None:
        """Change nothing: no player pays."""


class ShareOffered(Event[State]):
    """A seat offered a share of what all pay together for the declared Request: GW-16.11."""

    seat: Seat
    request: str
    kind: Kind
    amount: int

    def apply(self, state: State) -> None:
        """Change nothing: the players have not paid yet."""


class SharesMissing(Event[State]):
    """The offers for the declared Request are not enough; it stays open: GW-16.11."""

    request: str
    kind: Kind
    amount: int  # how much is missing

    def apply(self, state: State) -> None:
        """Change nothing: no player pays."""


class SoldierSacrificed(Event[State]):
    """A soldier of a seat left the game for a Request: GW-16.11."""

    seat: Seat
    soldier: board.Soldier
    unit: Unit | None  # where it stood; null if in the pool

    def apply(self, state: State) -> None:
        """Remove the soldier; Wound markers take the Vital spots that it covered: GW-10.8."""
        clan = state.clans[self.seat]
        if self.unit is None:
            muster(clan, self.soldier, -1)
        else:
            withdraw(state, clan, self.unit)
        clan.lost = plus(clan.lost, board.SOLDIER_NUMBER[self.soldier])


class RequestFulfilled(Event[State]):
    """A Request was fulfilled; `fulfilled` is the number of fulfilled Requests: GW-16.11."""

    request: str
    fulfilled: int

    def apply(self, state: State) -> None:
        """Move it from the open Requests to the fulfilled ones."""
        state.requests = without(state.requests, self.request)
        state.fulfilled = (*state.fulfilled, self.request)


class RequestsBlamed(Event[State]):
    """Each player gets a Shame token for each of these open Requests: GW-16.13."""

    requests: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Change nothing: other events record the tokens."""


class OrderProposed(Event[State]):
    """A seat proposed another order of the command cards on the track: GW-16.3."""

    seat: Seat
    order: tuple[int, ...]

    def apply(self, state: State) -> None:
        """Change nothing. The others are asked about the new order."""


class OrderAgreed(Event[State]):
    """A seat agreed to the proposed order: GW-16.3."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Change nothing: others may still answer."""


class OrderDeclined(Event[State]):
    """A seat declined the proposed order: GW-16.3."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Change nothing: others may still answer."""


class OrderSettled(Event[State]):
    """The order of the command cards is decided: GW-16.3."""

    order: tuple[int, ...]
    by_tea: bool
    """Whether it is the Tea order, because too few agreed to another one."""

    def apply(self, state: State) -> None:
        """Change nothing: other events place the cards one by one."""
