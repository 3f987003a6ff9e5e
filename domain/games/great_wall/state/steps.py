"""Steps of the course of a Year, and the union of all steps."""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.state.agenda import clerks, coop, effects, requests, soldiers, supply
from domain.games.great_wall.state.context import Context

Part = Literal["first", "others", "last"]


class PlaceHordes(Step, kw_only=True):
    """Place `left` more Horde cards: GW-5.2."""

    left: int
    raids: bool = True  # or else, in the solo setup, the next free place is used: GW-14.1


class DealLeaders(Step):
    """Deal Generals and advisors: GW-2.8."""


class ChooseLeaders(Step):
    """Keep a General, and make one advisor Active: GW-2.8."""


class RevealLeaders(Step):
    """Show the leaders, and take what the Generals start with: GW-2.8, GW-2.11."""

    secret: ClassVar[bool] = True


class Spring(Step):
    """Begin the next Year: GW-5.1."""


class ChooseSupporter(Step, kw_only=True):
    """Choose which of these advisors goes under the card of Qin Jiushao: GW-14.13."""

    advisors: tuple[str, ...]


class RenewAdvisors(Step):
    """Remove advisors from the track and reveal others: GW-5.5."""


class Summer(Step):
    """Begin Summer: income, Shame and command cards: GW-12.1."""


class Income(Step, kw_only=True):
    """Take what the Overseers of this seat yield: GW-12.1."""

    seat: Seat


class ShedShame(Step, kw_only=True):
    """Offer this seat to pay for returning Shame: GW-12.2."""

    seat: Seat


class ClearTrack(Step):
    """Move command cards to the discards of their owners: GW-12.3."""


class AskReclaim(Step, kw_only=True):
    """Ask this seat about its command cards, if any are in the discard: GW-12.4."""

    seat: Seat


class Reclaim(Step):
    """Take all command cards back, or honor for each: GW-12.4."""


class ReclaimSome(Step, kw_only=True):
    """Take up to `left` command cards back."""

    left: int
    rule: str = "GW-18.6"


class Fall(Step):
    """Begin Fall: all choose command cards: GW-7.1."""


class ChooseCommand(Step):
    """Choose a command card in secret: GW-7.1."""


class RevealCommands(Step):
    """Show the command cards: GW-7.2."""

    secret: ClassVar[bool] = True


class PlaceCommands(Step):
    """Let all put their command cards on the track, in Tea order: GW-7.2."""


class PlaceCommand(Step):
    """Put the seat's command card on a free slot of the track: GW-7.2."""


class PlaceQinCommand(Step):
    """Put the command card of Qin Jiushao on the leftmost free slot: GW-14.5."""


class PlaceReedCommand(Step):
    """Put the command card of the Reed Clan on the leftmost free slot: GW-15.5."""


class TakeTurn(Step, kw_only=True):
    """Resolve the command card on this slot, or go on to Winter: GW-7.3, GW-7.7."""

    slot: int


class CommandPart(Step, kw_only=True):
    """Let a clan resolve a part of the command card on a slot: GW-7.3."""

    clan: int
    slot: int
    part: Part


class OthersParts(Step, kw_only=True):
    """Let all others resolve their part of the command card on a slot: GW-7.3."""

    slot: int


class RestOfTurn(Step):
    """Go on with a turn after the Command step: GW-7.3, GW-7.5, GW-7.6."""


class AfterCommandStep(Step):
    """Let abilities answer the Command step, and seats play tactic cards: GW-7.3, GW-9.4."""


class AfterActivationStep(Step):
    """Let abilities answer the Activation step: GW-7.5."""


class EndTurn(Step):
    """End what lasts until the end of the turn: GW-7.6."""


class Winter(Step):
    """Begin Winter: what Horde cards do first, and everything after it: GW-13.1."""


class Shooting(Step, kw_only=True):
    """Let all shoot in a Section: GW-13.2."""

    section: board.Section


class Shoot(Step, kw_only=True):
    """Let the Archers of a seat shoot from the Firing spots of a Section: GW-13.2."""

    seat: Seat
    section: board.Section


class QinShoots(Step, kw_only=True):
    """Let the Archers of Qin Jiushao shoot from the Firing spots of a Section: GW-13.2, GW-14.9."""

    section: board.Section


class Assault(Step, kw_only=True):
    """Let the Horde cards of a Section assault it: GW-13.3."""

    section: board.Section


class Casualties(Step, kw_only=True):
    """Kill soldiers of these clans by a breach, clan by clan: GW-13.6."""

    section: board.Section
    clans: tuple[int, ...]


class Snipe(Step, kw_only=True):
    """Let a Horde card kill `count` Archers of a clan in a Section: GW-13.1."""

    clan: int
    section: board.Section
    amount: int


class Plunder(Step, kw_only=True):
    """Let a seat lose `count` resources to a Horde card."""

    seat: Seat
    amount: int
    rule: str = "GW-13.6"


class EndWinter(Step):
    """Discard Barricades, and let Horde cards swap places: GW-13.7."""


class EndCheck(Step):
    """Check whether the game is over: GW-13.8."""


class Fire(Step, kw_only=True):
    """Let abilities of these clans answer an event: GW-18.4."""

    trigger: str
    clans: tuple[int, ...]
    context: Context


class Chain(Step, kw_only=True):
    """The end of the chain of an event, with the abilities used in it: GW-18.4."""

    used: tuple[str, ...] = ()
    apart: bool = False  # above it are events without a cause, each with a chain to itself


class Moment(Step, kw_only=True):
    """Ask seats that may play a tactic card now, each with its open windows: GW-9.4."""

    windows: tuple[tuple[Seat, tuple[Window, ...]], ...]
    context: Context


class Ask(Step, kw_only=True):
    """Ask this question if there is a choice; with only one option, do it: GW-1.5."""

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
"""Steps that wait for a seat only if it has a choice."""

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
"""All steps."""
