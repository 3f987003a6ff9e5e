"""What a picture and a text both tell, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.engine.panel import count
from domain.engine.play import Seat
from domain.engine.telling import Sentence, Who, begun, say, sentence, told
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.telling import SAYINGS, TEXTS
from domain.games.great_wall.view import ClanView, HordeView, SectionView, View

SECTIONS: dict[board.Section, str] = {"left": "left", "center": "centre", "right": "right"}
TROOPS: dict[board.Soldier, tuple[str, str]] = {
    "spearman": ("Spearman", "Spearmen"),
    "archer": ("Archer", "Archers"),
    "horseman": ("Horseman", "Horsemen"),
}
ENGLISH = TEXTS["en"]


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
        winners, reason = tuple(map(Who, view.winners)), Sentence(f"end_{view.ended}")
        return said(view, sentence("over", reason=reason, winners=winners, count=len(winners)))
    if not view.awaiting or view.step is None:
        return said(view, sentence("nobody"))
    asked = told(view.step, view, SAYINGS, "ask_")
    waiting = tuple(map(Who, sorted(view.awaiting)))
    return said(view, Sentence(asked.key, {**asked.parts, "seats": waiting}))


def said(view: View, spoken: Sentence) -> str:
    """A sentence in English, seats by their numbers and colours."""
    names = [clan_name(view, clan) for clan in range(len(view.clans))]
    return begun(say(spoken, ENGLISH, names))


def moment(view: View) -> str:
    """The Year and the season, and whose turn it is."""
    season = f", {view.season}" if view.season else ""
    turn = f", turn of {clan_name(view, view.active)}" if view.active is not None else ""
    return f"Year {view.year} of {view.slots[-1].year}{season}{turn}"


def clan_name(view: View, clan: int) -> str:
    """A seat by its number and the colour of its clan, or the Reed Clan."""
    if clan == view.reed:
        return ENGLISH["reed_clan"]
    colour = Sentence(f"colour_{view.clans[clan].colour}")
    return say(sentence("seat", number=clan, colour=colour), ENGLISH, ())


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


def amounts(resources: Mapping[Any, int]) -> str:
    """Resources with how many there are."""
    return ", ".join(f"{number} {name}" for name, number in resources.items()) or "nothing"


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
    name = begun(clan_name(view, clan))
    if clan == view.reed:
        return f"{name}: {troops(owned.pool)} in the pool"
    resources = "" if owned.resources is None else f", {amounts(owned.resources)}"
    return (
        f"{name}, {general_name(owned)}: {view.scores[clan]} honor in all{resources}, "
        f"{count(owned.tactics_held, 'tactic card')}, {troops(owned.pool)} in the pool"
    )
