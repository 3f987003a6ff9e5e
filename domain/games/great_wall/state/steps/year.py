"""What there can still be to do in the course of a year, and all steps together."""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.steps import clerks, coop, effects, requests, soldiers, supply

Part = Literal["first", "others", "last"]


class PlaceHordes(Step, kw_only=True):
    """Place so many new Horde cards: GW-5.2."""

    left: int


class DealLeaders(Step):
    """Deal Generals and advisors: GW-2.8."""


class ChooseLeaders(Step):
    """Keep a General, and make one advisor Active: GW-2.8."""


class RevealLeaders(Step):
    """Show the leaders, and take what the Generals bring: GW-2.8, GW-2.11."""

    secret: ClassVar[bool] = True


class Spring(Step):
    """The next Year begins: GW-5.1."""


class ChooseSupporter(Step, kw_only=True):
    """Choose which of these advisors goes under the card of Qin Jiushao: GW-14.13."""

    advisors: tuple[str, ...]


class RenewAdvisors(Step):
    """Advisors leave the track and others come: GW-5.5."""


class Summer(Step):
    """Income, Shame and command cards: GW-12.1."""


class Income(Step, kw_only=True):
    """The Overseers of this seat yield: GW-12.1."""

    seat: Seat


class ShedShame(Step, kw_only=True):
    """Ask this seat whether it pays to be rid of Shame: GW-12.2."""

    seat: Seat


class ClearTrack(Step):
    """Command cards go to the discards of their owners: GW-12.3."""


class AskReclaim(Step, kw_only=True):
    """Ask this seat about its command cards, if some are in the discard: GW-12.4."""

    seat: Seat


class Reclaim(Step):
    """Take all command cards back, or honor for each: GW-12.4."""


class ReclaimSome(Step, kw_only=True):
    """Take so many command cards back: GW-18.6."""

    left: int


class Fall(Step):
    """All choose command cards: GW-7.1."""


class ChooseCommand(Step):
    """Choose a command card in secret: GW-7.1."""


class RevealCommands(Step):
    """Show the command cards: GW-7.2."""

    secret: ClassVar[bool] = True


class PlaceCommands(Step):
    """All put their command cards on the track, in Tea order: GW-7.2."""


class PlaceCommand(Step):
    """Put the own command card on a free slot of the track: GW-7.2."""


class PlaceQinCommand(Step):
    """The command card of Qin Jiushao goes on the leftmost free slot: GW-14.5."""


class PlaceReedCommand(Step):
    """The command card of the Reed Clan goes on the leftmost free slot: GW-15.5."""


class TakeTurn(Step, kw_only=True):
    """Resolve the command card on this slot, or go on to Winter: GW-7.3, GW-7.7."""

    slot: int


class CommandPart(Step, kw_only=True):
    """A clan resolves a part of the command card on a slot: GW-7.3."""

    clan: int
    slot: int
    part: Part


class OthersParts(Step, kw_only=True):
    """All others resolve their part of the command card on a slot: GW-7.3."""

    slot: int


class RestOfTurn(Step):
    """What follows the Command step of a turn: GW-7.3, GW-7.5, GW-7.6."""


class AfterCommandStep(Step):
    """Abilities answer one's own Command step, and a tactic card may be played: GW-7.3, GW-9.4."""


class AfterActivationStep(Step):
    """Abilities answer one's own Activation step: GW-7.5."""


class EndTurn(Step):
    """What lasts until the end of the turn is over: GW-7.6."""


class Winter(Step):
    """What Horde cards do at the start of Winter, and all that follows: GW-13.1."""


class Shooting(Step, kw_only=True):
    """Shooting in a Section: GW-13.2."""

    section: board.Section


class Shoot(Step, kw_only=True):
    """The Archers of a seat shoot from the Firing spots of a Section: GW-13.2."""

    seat: Seat
    section: board.Section


class QinShoots(Step, kw_only=True):
    """The Archers of Qin Jiushao shoot from the Firing spots of a Section: GW-13.2, GW-14.9."""

    section: board.Section


class Assault(Step, kw_only=True):
    """The Horde cards of a Section assault it: GW-13.3."""

    section: board.Section


class Casualties(Step, kw_only=True):
    """The soldiers that these clans lose by a breach, one after the other: GW-13.6."""

    section: board.Section
    clans: tuple[int, ...]


class Snipe(Step, kw_only=True):
    """A Horde card kills so many Archers of a clan in a Section: GW-13.1."""

    clan: int
    section: board.Section
    amount: int


class Plunder(Step, kw_only=True):
    """A seat loses so many resources to a Horde card: GW-13.1, GW-13.6."""

    seat: Seat
    amount: int


class EndWinter(Step):
    """Barricades are discarded, and Horde cards swap places: GW-13.7."""


class EndCheck(Step):
    """See whether the game is over: GW-13.8."""


class Fire(Step, kw_only=True):
    """Abilities of these clans answer an event: GW-18.4."""

    trigger: str
    clans: tuple[int, ...]
    context: Context


class Chain(Step, kw_only=True):
    """Below it nothing belongs to the event any more; the abilities that it used: GW-18.4."""

    used: tuple[str, ...] = ()
    apart: bool = False  # above it are events that no ability has caused, each with its own chain


class Moment(Step, kw_only=True):
    """Seats that may play a tactic card now, each with the windows that are open: GW-9.4."""

    windows: tuple[tuple[Seat, tuple[Window, ...]], ...]
    context: Context


class Ask(Step, kw_only=True):
    """Ask this, if there is a choice; do what must be done if there is only one way: GW-1.5."""

    step: Askable


Askable = (
    ReclaimSome
    | PlaceCommand
    | ChooseSupporter
    | clerks.MoveClerks
    | clerks.MoveReedClerks
    | clerks.SendBack
    | clerks.OrderActivations
    | clerks.AdvancedActivation
    | clerks.Upgrade
    | clerks.Donate
    | clerks.TakeIncomes
    | clerks.Build
    | clerks.ReedBarricade
    | clerks.Hire
    | clerks.ReedAdvisor
    | clerks.Logistics
    | soldiers.Recruit
    | soldiers.Deploy
    | soldiers.Attacking
    | soldiers.ReedSpearman
    | soldiers.Wounding
    | soldiers.ChooseDoomed
    | soldiers.Save
    | supply.PlaceShame
    | supply.DiscardShame
    | supply.Pay
    | supply.TakeResources
    | supply.LoseResources
    | supply.StockWarehouse
    | supply.DiscardTactics
    | effects.OrderAbilities
    | effects.Consider
    | effects.ChooseOption
    | effects.NamePlayers
    | effects.CopyCommand
    | requests.OfferShare
    | requests.Sacrifice
    | coop.OrderPlayers
)
"""Steps that wait for a seat only if there is something to choose."""

AnyStep = (
    Askable
    | Ask
    | PlaceHordes
    | DealLeaders
    | ChooseLeaders
    | RevealLeaders
    | Spring
    | RenewAdvisors
    | Summer
    | Income
    | ShedShame
    | ClearTrack
    | AskReclaim
    | Reclaim
    | Fall
    | ChooseCommand
    | RevealCommands
    | PlaceCommands
    | PlaceReedCommand
    | PlaceQinCommand
    | TakeTurn
    | OthersParts
    | CommandPart
    | RestOfTurn
    | AfterCommandStep
    | AfterActivationStep
    | EndTurn
    | Winter
    | Shooting
    | Shoot
    | QinShoots
    | Assault
    | Casualties
    | Snipe
    | Plunder
    | EndWinter
    | EndCheck
    | Fire
    | Chain
    | Moment
    | clerks.MoveQinClerks
    | clerks.QinActivations
    | clerks.ActivationStep
    | clerks.NextActivation
    | clerks.ResolveLocation
    | clerks.ResolveFor
    | clerks.OfferUpgrade
    | clerks.OfferDonation
    | clerks.DrinkTea
    | clerks.ReturnClerks
    | clerks.UpgradeNow
    | clerks.BuildNow
    | clerks.HireNow
    | soldiers.AttackOver
    | soldiers.DefeatCheck
    | soldiers.Defeat
    | soldiers.Defeated
    | soldiers.Slay
    | soldiers.TakeAway
    | soldiers.KillBatch
    | soldiers.Dying
    | supply.GainShame
    | effects.Perform
    | effects.UseAbilities
    | effects.React
    | effects.PlayReactions
    | effects.SpendTactic
    | requests.AgreeOrder
    | requests.FulfilRequests
    | requests.DeclareRequests
    | requests.PayRequest
    | requests.AskShares
    | requests.CollectPayments
    | requests.CloseRequest
    | requests.BlameRequests
    | requests.RefillRequests
    | coop.EventStep
    | coop.ResolveInOrder
    | coop.OthersInOrder
    | coop.EachInOrder
)
"""All that there can still be to do."""
