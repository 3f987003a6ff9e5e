"""Steps about Requests, and about the order of command cards.

The whole table decides both, in the cooperative game only.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.engine.play import Seat, Step
from domain.games.great_wall.state.bills import Bill

Kind = Literal["wood", "stone", "gold", "chi", "any", "honor", "soldiers"]
"""What players can pay for a Request; `any` is resources of any type: GW-18.10."""


class Due(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a seat must pay for a Request: GW-18.10."""

    wood: int = 0
    stone: int = 0
    gold: int = 0
    chi: int = 0
    any: int = 0  # resources of any type
    honor: int = 0
    soldiers: int = 0  # of the types that the Request names

    @property
    def bill(self) -> Bill:
        """The bill for the resources and honor in it."""
        named = (self.wood, self.stone, self.gold, self.chi)
        return Bill(*named, honor=self.honor)


class AgreeOrder(Step, kw_only=True):
    """Agree on the order of the command cards on the track, or propose another one: GW-16.3."""

    order: tuple[int, ...]  # clans from the left of the track, as proposed
    proposed: tuple[Seat, ...] = ()  # seats that proposed an order this Fall
    agreed: tuple[Seat, ...] = ()  # seats that agree to this one
    declined: tuple[Seat, ...] = ()  # seats that do not


class FulfilRequests(Step, kw_only=True):
    """Find out whether a seat can declare an open Request: GW-16.11."""

    failed: tuple[tuple[Seat, str], ...] = ()


class DeclareRequests(Step, kw_only=True):
    """Declare an open Request: GW-16.11."""

    failed: tuple[tuple[Seat, str], ...] = ()


class PayRequest(Step, kw_only=True):
    """Agree to pay what the declared Request asks of each player: GW-16.11."""

    request: str


class AskShares(Step, kw_only=True):
    """Ask these seats for shares of what all pay together, one after the other: GW-16.11."""

    request: str
    kind: Kind
    waiting: tuple[Seat, ...]


class OfferShare(Step, kw_only=True):
    """Offer a share of what all pay together for a Request: GW-16.11."""

    request: str
    kind: Kind
    left: int  # how much is still missing


class CollectPayments(Step, kw_only=True):
    """Let the seats pay what they agreed to for a Request: GW-16.11."""

    request: str
    declarer: Seat
    dues: tuple[Due, ...]  # by seat, what it pays


class Sacrifice(Step, kw_only=True):
    """Choose `left` more soldiers to leave the game: GW-16.11."""

    left: int
    request: str


class CloseRequest(Step, kw_only=True):
    """Fulfil a Request, whose needs are all met: GW-16.11."""

    request: str


class BlameRequests(Step):
    """Give each player Shame for each open Request: GW-16.13."""


class RefillRequests(Step):
    """Open Requests, up to the number at the start."""

    rule: str = "GW-16.13"
