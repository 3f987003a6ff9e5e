"""What there can still be to do about Requests, and to agree on the order of command cards.

Both are decided by the whole table, in the cooperative game alone.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.engine.play import Seat, Step
from domain.games.great_wall.state.bills import Bill

Kind = Literal["wood", "stone", "gold", "chi", "any", "honor", "soldiers"]
"""What can be paid for a Request; `any` is resources of any type: GW-18.10."""


class Due(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a seat is to pay for a Request: GW-18.10."""

    wood: int = 0
    stone: int = 0
    gold: int = 0
    chi: int = 0
    any: int = 0  # resources of any type
    honor: int = 0
    soldiers: int = 0  # of the types that the Request names

    @property
    def bill(self) -> Bill:
        """What is named of it, but for soldiers."""
        named = (self.wood, self.stone, self.gold, self.chi)
        return Bill(*named, honor=self.honor)


class AgreeOrder(Step, kw_only=True):
    """Agree on the order of the command cards on the track, or propose another one: GW-16.3."""

    order: tuple[int, ...]  # clans from the left of the track, as it is proposed now
    proposed: tuple[Seat, ...] = ()  # who has proposed an order this Fall
    agreed: tuple[Seat, ...] = ()  # who agrees with this one
    declined: tuple[Seat, ...] = ()  # who does not


class FulfilRequests(Step, kw_only=True):
    """See whether somebody can declare an open Request: GW-16.11."""

    failed: tuple[tuple[Seat, str], ...] = ()


class DeclareRequests(Step, kw_only=True):
    """Declare an open Request: GW-16.11."""

    failed: tuple[tuple[Seat, str], ...] = ()


class PayRequest(Step, kw_only=True):
    """Agree to pay what the declared Request asks of each player: GW-16.11."""

    request: str


class AskShares(Step, kw_only=True):
    """Ask these seats for their shares in what all pay together, one after the other: GW-16.11."""

    request: str
    kind: Kind
    waiting: tuple[Seat, ...]


class OfferShare(Step, kw_only=True):
    """Offer a share in what all pay together for a Request: GW-16.11."""

    request: str
    kind: Kind
    left: int  # how much is still missing


class CollectPayments(Step, kw_only=True):
    """All have agreed: what they offered for a Request is paid: GW-16.11."""

    request: str
    declarer: Seat
    dues: tuple[Due, ...]  # by seat, what it pays


class Sacrifice(Step, kw_only=True):
    """Let so many more soldiers leave the game: GW-16.11."""

    left: int
    request: str


class CloseRequest(Step, kw_only=True):
    """All that a Request needs holds or is paid: it is fulfilled: GW-16.11."""

    request: str


class BlameRequests(Step):
    """Each player gets Shame for each open Request: GW-16.13."""


class RefillRequests(Step):
    """Open Requests until as many lie open as at the start: GW-16.13."""
