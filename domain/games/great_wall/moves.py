"""What a player can choose. Moves are small: one clerk, one soldier, one resource at a time."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from domain.engine.play import Move, Seat
from domain.games.great_wall import board
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.state.agenda.soldiers import Origin, PlaceOfUnit

Amount = Annotated[int, msgspec.Meta(ge=0, le=999)]
Passing = Literal["turn", "card"] | Window
"""How long a seat is not asked for tactic cards: until its next turn, until the next command card,
or always in this window.
"""


PlaceOfSoldier = Literal["pool"] | PlaceOfUnit


class Done(Move):
    """End what you are doing: GW-1.5."""

    own_events = ()


class KeepLeaders(Move):
    """Keep this General, and make this advisor Active: GW-2.8."""

    sealed: ClassVar[bool] = True

    general: str
    active: str


class PlayCommand(Move):
    """Choose this command card in secret: GW-7.1."""

    sealed: ClassVar[bool] = True

    card: str


class GiveAdvisor(Move):
    """Let this advisor go under the card of Qin Jiushao: GW-14.13."""

    advisor: str


class LayCommand(Move):
    """Put your command card on this slot, counted from 0: GW-7.2."""

    slot: int


class ReclaimCards(Move):
    """Take all command cards back from the discard: GW-12.4."""


class TakeHonor(Move):
    """Leave the command cards in the discard, for honor: GW-12.4."""


class ReclaimCard(Move):
    """Take this command card back from the discard: GW-18.6."""

    card: str


class MoveClerk(Move):
    """Move a clerk from the pool, or from a Location, to a Location: GW-6.2, GW-15.5."""

    to: board.Location
    origin: board.Location | None = None


class SendClerkBack(Move):
    """Take a clerk from this Location back to the pool: GW-18.6."""

    location: board.Location


class ActivateLocation(Move):
    """Resolve this Location now: GW-6.4, GW-6.6."""

    location: board.Location


class UpgradeOverseer(Move):
    """Upgrade the Overseer there, or make a soldier of this type the Overseer: GW-8.4."""

    own_events = ("OverseerUpgraded",)

    location: board.Location
    soldier: board.Soldier | None = None


class DonateResource(Move):
    """Put this resource into the Warehouse: GW-8.5."""

    resource: board.Resource


class TakeIncome(Move):
    """Take what the Overseer of this clan there yields: GW-18.6."""

    clan: int
    location: board.Location


class BuildBarricade(Move):
    """Build a Barricade on this Section: GW-8.8, GW-15.7."""

    own_events = ("BarricadeBuilt",)

    section: board.Section


class BuildWall(Move):
    """Build the next Wall part of this Section: GW-8.8."""

    own_events = ("WallBuilt",)

    section: board.Section


class HireClerk(Move):
    """Hire a clerk: GW-8.9."""

    own_events = ("ClerkHired",)


class HireAdvisor(Move):
    """Hire this advisor of the track, permanently Active or Supporting: GW-8.9."""

    own_events = ("AdvisorHired",)

    advisor: str
    active: bool


class DiscardAdvisor(Move):
    """Discard this advisor of the track: GW-15.7."""

    advisor: str


class MoveSoldier(Move):
    """Move a soldier from one Section to another: GW-8.10."""

    soldier: board.Soldier
    origin: board.Section
    to: board.Section
    fired: bool = False  # whether it is an Archer that leaves a Firing spot
    fires: bool = False  # whether it takes a Firing spot


class NameRecruit(Move):
    """Recruit a soldier of this type: GW-8.6."""

    own_events = ()

    soldier: board.Soldier


class SendToRest(Move):
    """Send a recruit to the Rest Zone of this Section: GW-8.6."""

    soldier: board.Soldier
    section: board.Section


class Attack(Move):
    """Attack with a soldier: GW-10.2.

    `spots` are the spots that it covers, two for a Horseman, or the spot that an Archer wounds.
    Without `row` and `spots` an Archer only takes a Firing spot.
    """

    own_events = ("SoldierAttacked", "ArcherShot")

    soldier: board.Soldier
    origin: Origin
    section: board.Section
    row: int | None = None
    spots: tuple[int, ...] = ()


class Wound(Move):
    """Put a Wound marker on this spot: GW-18.6."""

    section: board.Section
    row: int
    spot: int


class LoseSoldier(Move):
    """Choose that a soldier of this type is about to be killed: GW-10.11."""

    own_events = ()

    soldier: board.Soldier
    section: board.Section
    card: str | None = None


class SaveSoldier(Move):
    """Save a soldier of this type: GW-10.12."""

    own_events = ()

    soldier: board.Soldier
    section: board.Section
    card: str | None = None


class PutShame(Move):
    """Put the Shame token under a soldier of this type, or on this claimed Horde card: GW-11.2."""

    soldier: board.Soldier | None = None
    card: str | None = None


class ReturnShame(Move):
    """Return a Shame token from a soldier of this type, or from this Horde card: GW-11.4."""

    own_events = ("ShameReturned",)

    soldier: board.Soldier | None = None
    card: str | None = None


class PayBill(Move):
    """Pay with these: GW-8.8, GW-18.2."""

    own_events = ("Paid", "WarehousePaid")

    wood: Amount = 0
    stone: Amount = 0
    gold: Amount = 0
    chi: Amount = 0


class TakeResource(Move):
    """Take one resource of this type: GW-18.6."""

    resource: board.Resource


class LoseResource(Move):
    """Give one resource of this type back: GW-18.6."""

    resource: board.Resource


class StockResource(Move):
    """Put one resource of this type from the supply into the Warehouse: GW-18.6."""

    resource: board.Resource


class DiscardTactic(Move):
    """Discard this tactic card: GW-9.5."""

    card: str


class UseAbility(Move):
    """Use this ability next: GW-1.6."""

    own_events = ()

    ability: str  # its address


class Accept(Move):
    """Pay for the effect and use it: GW-18.6."""

    own_events = ()


class TakeOption(Move):
    """Choose this option of the card, counted from 0: GW-18.6."""

    own_events = ()

    option: int


class NamePlayer(Move):
    """Name this player: GW-18.6."""

    own_events = ("PlayersOrdered",)

    player: Seat


class CopyCard(Move):
    """Copy the command card on this slot, counted from 0: GW-9.6."""

    own_events = ()

    slot: int


class PlayTactic(Move):
    """Play this tactic card, or none, in secret: GW-9.4."""

    sealed: ClassVar[bool] = True

    card: str | None = None
    boosted: bool = False


class LetPass(Move):
    """Play no tactic card now, and do not ask me again for a while: GW-9.4."""

    until: Passing


class AskAgain(Move):
    """Ask me for tactic cards again: GW-9.4."""


class ProposeOrder(Move):
    """Propose another order of the command cards on the track, by clan from the left: GW-16.3."""

    order: tuple[int, ...]


class AgreeToOrder(Move):
    """Agree to the proposed order, which is this one: GW-16.3."""

    order: tuple[int, ...]


class DeclineOrder(Move):
    """Decline the proposed order: GW-16.3."""


class DeclareRequest(Move):
    """Declare this open Request, and agree to pay your part of it: GW-16.11."""

    request: str


class AgreeToPay(Move):
    """Agree to pay what the declared Request, which is this one, asks of each player: GW-16.11."""

    request: str


class RefuseToPay(Move):
    """Refuse to pay for the declared Request; then no player pays: GW-16.11."""


class GiveShare(Move):
    """Offer this amount of what all pay together: GW-16.11."""

    amount: Amount


class SacrificeSoldier(Move):
    """Let a soldier of this type leave the game: GW-16.11."""

    soldier: board.Soldier
    place: PlaceOfSoldier = "pool"
    section: board.Section | None = None  # where it stands; left out if in the pool
    card: str | None = None
