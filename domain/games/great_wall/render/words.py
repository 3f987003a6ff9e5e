"""What a picture and a text both tell, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.engine.panel import count
from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import (
    clerk_steps,
    effect_steps,
    soldier_steps,
    steps,
    supply_steps,
)
from domain.games.great_wall.view import ClanView, HordeView, SectionView, View

ENDINGS = {
    "walls": "the Wall is complete",
    "shame": "no Shame token is left",
    "time": "the last Year is over",
}
SECTIONS: dict[board.Section, str] = {"left": "left", "center": "centre", "right": "right"}
TROOPS: dict[board.Soldier, tuple[str, str]] = {
    "spearman": ("Spearman", "Spearmen"),
    "archer": ("Archer", "Archers"),
    "horseman": ("Horseman", "Horsemen"),
}
ASKED: dict[type[Step], str | Callable[[Any], str]] = {
    steps.ChooseLeaders: "to keep a General and to make an advisor Active",
    steps.ChooseCommand: "to choose a command card",
    steps.PlaceCommand: "to put the command card on the track",
    steps.Reclaim: "to take command cards back, or honor",
    steps.ReclaimSome: lambda step: f"may take {count(step.left, 'command card')} back",
    clerk_steps.MoveClerks: lambda step: f"may move {count(step.left, 'clerk')}",
    clerk_steps.MoveReedClerks: lambda step: (
        f"may move {count(step.left, 'clerk')} of the Reed Clan"
    ),
    clerk_steps.SendBack: lambda step: f"takes {count(step.left, 'clerk')} back",
    clerk_steps.OrderActivations: lambda step: f"to activate {places(step.waiting, ' or ')}",
    clerk_steps.AdvancedActivation: "may activate a Location",
    clerk_steps.Upgrade: lambda step: f"may upgrade an Overseer: {places(step.where, ' or ')}",
    clerk_steps.Donate: lambda step: f"may donate {' or '.join(step.resources)}",
    clerk_steps.TakeIncomes: "may take what an Overseer yields",
    clerk_steps.Build: lambda step: f"may build up to {step.left}",
    clerk_steps.ReedBarricade: "builds a Barricade for the Reed Clan",
    clerk_steps.Hire: lambda step: f"may hire up to {step.left}",
    clerk_steps.ReedAdvisor: "discards an advisor for the Reed Clan",
    clerk_steps.Logistics: "may move soldiers between two Sections",
    soldier_steps.Recruit: lambda step: f"may recruit {count(step.left, 'soldier')} more",
    soldier_steps.Deploy: lambda step: f"deploys {troop(step.left)}",
    soldier_steps.Attacking: "attacks",
    soldier_steps.ReedSpearman: "places a Spearman of the Reed Clan",
    soldier_steps.Wounding: lambda step: f"may put {count(step.left, 'Wound marker')}",
    soldier_steps.ChooseDoomed: lambda step: f"to choose {count(step.left, 'soldier')} to die",
    soldier_steps.Save: lambda step: f"may save soldiers for {cost(step.bill)}",
    supply_steps.PlaceShame: "to place a Shame token",
    supply_steps.DiscardShame: lambda step: f"may return Shame tokens for {cost(step.bill)}",
    supply_steps.Pay: lambda step: f"to pay {cost(step.bill)}",
    supply_steps.TakeResources: lambda step: f"to take {count(step.left, 'resource')}",
    supply_steps.LoseResources: lambda step: f"to give {count(step.left, 'resource')} back",
    supply_steps.StockWarehouse: lambda step: (
        f"may put {count(step.left, 'resource')} into the Warehouse"
    ),
    supply_steps.DiscardTactics: lambda step: (
        f"to discard down to {count(step.keep, 'tactic card')}"
    ),
    effect_steps.React: "to play a tactic card or none",
    effect_steps.OrderAbilities: "to order abilities",
    effect_steps.Consider: "may pay for an effect",
    effect_steps.ChooseOption: "to choose an effect",
    effect_steps.NamePlayers: "may name other players",
    effect_steps.CopyCommand: "to choose the command card to copy",
}
"""What is asked by each step, of one seat or of several."""


def summary(view: View) -> str:
    """The position in a few sentences."""
    parts = [
        f"{view.players} players{' and the Reed Clan' if view.reed is not None else ''}.",
        status(view),
        moment(view) + ".",
        *(f"{section_told(section)}." for section in view.sections),
        f"Warehouse: {amounts(view.warehouse)}. Shame pool: {view.shame}.",
        *(f"{clan_told(view, number)}." for number in range(len(view.clans))),
    ]
    return " ".join(parts)


def status(view: View) -> str:
    """Who has to decide what, or who has won."""
    if view.ended is not None:
        won = "wins" if len(view.winners) == 1 else "win together"
        who = " and ".join(clan_name(view, seat) for seat in view.winners)
        return f"The game is over, {ENDINGS[view.ended]}: {who} {won}."
    if not view.awaiting or view.step is None:
        return "Nobody has to decide."
    who = " and ".join(clan_name(view, seat) for seat in sorted(view.awaiting))
    return f"{capital(who)}: {_asked(view.step)}."


def _asked(step: Step) -> str:
    """What is asked of whoever has to decide."""
    words = ASKED[type(step)]
    return words if isinstance(words, str) else words(step)


def moment(view: View) -> str:
    """The Year and the season, and whose turn it is."""
    season = f", {view.season}" if view.season else ""
    turn = f", turn of {clan_name(view, view.active)}" if view.active is not None else ""
    return f"Year {view.year} of {view.slots[-1].year}{season}{turn}"


def clan_name(view: View, clan: int) -> str:
    """A seat by its number and the colour of its clan, or the Reed Clan."""
    return "the Reed Clan" if clan == view.reed else f"seat {clan} ({view.clans[clan].colour})"


def capital(words: str) -> str:
    """The same with a capital at its beginning."""
    return words[:1].upper() + words[1:]


def general_name(clan: ClanView) -> str:
    """The General by name, if one is known."""
    return decks.GENERALS[clan.general].name if clan.general else "no General yet"


def advisor_name(card: str | None) -> str:
    """An advisor by name, or one who lies face down."""
    return decks.ADVISORS[card].name if card else "unknown"


def command_name(card: str) -> str:
    """A command card by name; the Reed Clan has its own."""
    return decks.COMMANDS[card].name if card in decks.COMMANDS else "Reed card"


def tactic_name(card: str) -> str:
    """A tactic card by name."""
    return decks.TACTICS[card].name


def places(locations: tuple[board.Location, ...], between: str = ", ") -> str:
    """Locations by name."""
    return between.join(board.PLACES[location].name for location in locations)


def amounts(resources: Mapping[Any, int]) -> str:
    """Resources with how many there are."""
    return ", ".join(f"{number} {name}" for name, number in resources.items()) or "nothing"


def cost(bill: Any) -> str:  # noqa: ANN401  a Bill, whatever it names
    """What a bill comes to, in words."""
    named = {name: getattr(bill, name) for name in (*board.RESOURCES, "honor")}
    parts = [f"{number} {name}" for name, number in named.items() if number]
    parts += [f"{bill.any_wsg} of wood, stone and gold"] * bool(bill.any_wsg)
    less = f", {bill.less} less" if bill.less else ""
    return (", ".join(parts) or "nothing") + less


def troop(soldiers: tuple[board.Soldier, ...]) -> str:
    """So many soldiers of each type."""
    counts = {name: soldiers.count(name) for name in dict.fromkeys(soldiers)}
    return troops(counts)


def troops(counts: Mapping[board.Soldier, int]) -> str:
    """Soldiers by type, in words."""
    told = [count(number, *TROOPS[name]) for name, number in counts.items() if number]
    return ", ".join(told) or "no soldiers"


def section_told(section: SectionView) -> str:
    """A Section with its Wall and the Horde cards before it."""
    cards = ", ".join(f"{horde.name} ({open_spots(horde)} free)" for horde in section.hordes)
    return (
        f"{SECTIONS[section.section].capitalize()} Section: level {section.level}, "
        f"{count(section.barricades, 'Barricade')}, Defense {section.defense} "
        f"against Power {section.power}; {cards or 'no Horde card'}"
    )


def open_spots(horde: HordeView) -> int:
    """How many Vital spots are free: GW-10.10."""
    return sum(not spot.wounded and spot.clan is None for spot in horde.spots)


def clan_told(view: View, clan: Seat) -> str:
    """A clan in one sentence."""
    owned = view.clans[clan]
    name = capital(clan_name(view, clan))
    if clan == view.reed:
        return f"{name}: {troops(owned.pool)} in the pool"
    resources = "" if owned.resources is None else f", {amounts(owned.resources)}"
    return (
        f"{name}, {general_name(owned)}: {view.scores[clan]} honor in all{resources}, "
        f"{count(owned.tactics_held, 'tactic card')}, {troops(owned.pool)} in the pool"
    )
