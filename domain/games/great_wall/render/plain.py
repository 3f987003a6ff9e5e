"""The table as lines of text, for terminals and screen readers; 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import count, note
from domain.engine.telling import Words, begun
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import words
from domain.games.great_wall.telling import ENGLISH
from domain.games.great_wall.view import ClanView, HordeView, SectionView, SpotView, View

COLUMNS = 80
LEGEND = """\
Vital spots: o free, x wounded, 0s Spearman and 0h Horseman of seat 0 (R: Reed); a free spot
with a reward: W wood, S stone, G gold, C chi, A any resource, H honor, T tactic cards."""
REWARDS = {
    "wood": "W",
    "stone": "S",
    "gold": "G",
    "chi": "C",
    "any": "A",
    "honor": "H",
    "tactics": "T",
}
WIDE = 4
"""How many columns a Vital spot takes."""


def text(view: View, _words: Words = ENGLISH) -> str:
    """The whole table as this seat sees it."""
    lines = [
        f"The Great Wall{', open resources' if view.open_resources else ''}",
        *wrap(words.status(view), COLUMNS),
        f"{words.moment(view)}. Shame pool: {view.shame}",
        *_course(view),
        "",
        *(line for section in view.sections for line in _section(view, section)),
        "",
        *wrap(LEGEND.replace("\n", " "), COLUMNS),
        "",
        *_locations(view),
        "",
        *(line for clan in range(len(view.clans)) for line in _clan(view, clan)),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _course(view: View) -> Iterator[str]:
    """Tea order, the tracks, the Warehouse, the decks."""
    tea = " > ".join(words.clan_name(view, clan) for clan in view.tea)
    yield from wrap(f"Tea order: {tea}", COLUMNS)
    yield from wrap(f"Command track: {_track(view)}", COLUMNS)
    advisors = ", ".join(map(words.advisor_name, view.advisors))
    yield from wrap(f"Advisors: {advisors or 'none'}", COLUMNS)
    artifacts = (
        f"{decks.ARTIFACTS[one].name}: {decks.ARTIFACTS[one].text}" for one in view.artifacts
    )
    for artifact in artifacts:
        yield from wrap(artifact, COLUMNS)
    yield f"Warehouse: {words.amounts(view.warehouse)}"
    where = words.SECTIONS[view.indicator] if view.indicator else "unknown"
    yield f"Horde deck: {count(view.horde_deck, 'card')}, the back of the top one: {where}"


def _track(view: View) -> str:
    slots = (
        f"{number} {words.command_name(laid.card)} of {words.clan_name(view, laid.clan)}"
        if laid
        else f"{number} free"
        for number, laid in enumerate(view.track)
    )
    return "; ".join(slots)


def _section(view: View, section: SectionView) -> Iterator[str]:
    """The Wall with its defenders, and the Horde cards before it."""
    name = words.SECTIONS[section.section].capitalize()
    yield (
        f"{name} Section: Wall level {section.level}, {count(section.barricades, 'Barricade')}, "
        f"Defense {section.defense}, Power {section.power}"
    )
    yield from wrap(f"  Firing spots: {_firing(view, section)}", COLUMNS)
    for clan, owned in enumerate(view.clans):
        if section.section in owned.rest:
            there = words.troops(owned.rest[section.section])
            yield f"  Rest Zone of {words.clan_name(view, clan)}: {there}"
    for horde in section.hordes:
        yield from _horde(view, horde)


def _firing(view: View, section: SectionView) -> str:
    """Whose Archers stand on the Wall."""
    archers = {
        clan: number
        for clan, owned in enumerate(view.clans)
        if (number := owned.firing.get(section.section, 0))
    }
    there = ", ".join(f"{number} of {words.clan_name(view, c)}" for c, number in archers.items())
    taken = sum(archers.values())
    return f"{taken} of {section.firing_spots} taken{': ' if there else ''}{there}"


def _horde(view: View, horde: HordeView) -> Iterator[str]:
    """A Horde card with its grid."""
    yield from wrap(
        f"{horde.row + 1} {horde.name}{' (full)' if horde.full else ''}: Power {horde.power}, "
        f"honor {horde.honor}, Lethality {horde.lethality}. {horde.text}",
        COLUMNS,
        initial_indent="  ",
        subsequent_indent="    ",
    )
    signs = {spot.at: _spot(view, spot) for spot in horde.spots}
    for row in range(2):
        cells = (signs.get(f"{row},{column}", ".") for column in range(6))
        yield "      " + "".join(f"{cell:{WIDE}}" for cell in cells)


def _spot(view: View, spot: SpotView) -> str:
    """What lies on a Vital spot, or what it brings."""
    if spot.wounded:
        return "x"
    if spot.clan is not None:
        whose = "R" if spot.clan == view.reed else str(spot.clan)
        return f"{whose}{'s' if spot.soldier == 'spearman' else 'h'}"
    rewards = (f"{REWARDS[name]}{number}" for name, number in spot.reward.items())
    return "".join(rewards) or "o"


def _locations(view: View) -> Iterator[str]:
    """A line for each Location with its clerks."""
    for place in view.locations:
        there = [
            f"{words.clan_name(view, clan)} {number}"
            for clan, number in enumerate(place.clerks)
            if number
        ]
        room = f"{sum(place.clerks)} of {place.slots}" if place.slots else str(sum(place.clerks))
        yield from wrap(
            f"{place.name + ':':24}{room:8}{', '.join(there)}",
            COLUMNS,
            subsequent_indent=" " * 32,
        )


def _clan(view: View, clan: int) -> Iterator[str]:
    """Everything in front of a clan."""
    owned = view.clans[clan]
    notes = note(view, clan, view.active)
    yield f"{begun(words.clan_name(view, clan))}{f' ({notes})' if notes else ''}"
    facts = list(_reed(owned) if clan == view.reed else _facts(view, clan, owned))
    for fact in facts:
        yield from wrap(fact, COLUMNS, initial_indent="  ", subsequent_indent="    ")


def _reed(owned: ClanView) -> Iterator[str]:
    yield f"soldiers: {words.troops(owned.pool)}"


def _facts(view: View, clan: int, owned: ClanView) -> Iterator[str]:
    """A player: honor, leaders, resources, pieces, cards."""
    yield f"honor: {owned.honor}, {view.scores[clan]} with all that counts at the end"
    yield f"General: {_general(owned)}"
    for advisor in owned.active:
        yield f"advisor: {words.advisor_name(advisor)}. {decks.ADVISORS[advisor].text}"
    if owned.supporting:
        yield f"Supporting Advisors: {', '.join(map(words.advisor_name, owned.supporting))}"
    resources = "hidden" if owned.resources is None else words.amounts(owned.resources)
    yield f"resources: {resources}"
    yield f"clerks: {owned.clerks_pool} in the pool, {owned.clerks_space} to be hired"
    yield f"soldiers: {words.troops(owned.pool)}; under Shame: {words.troops(owned.shamed)}"
    if owned.overseers:
        levels = (f"{board.PLACES[at].name} {one.level}" for at, one in owned.overseers.items())
        yield f"Overseers: {', '.join(levels)}"
    yield f"command cards: {', '.join(map(words.command_name, owned.commands)) or 'none'}"
    if owned.discard:
        yield f"discarded: {', '.join(map(words.command_name, owned.discard))}"
    yield f"tactic cards: {_tactics(owned)}"
    if owned.claimed:
        yield f"claimed: {', '.join(_claimed(owned))}"
    if owned.passing:
        yield f"lets pass: {', '.join(owned.passing)}"


def _general(owned: ClanView) -> str:
    if not owned.general:
        return "not chosen yet"
    card = decks.GENERALS[owned.general]
    return f"{card.name}. {card.text}"


def _tactics(owned: ClanView) -> str:
    if owned.tactics is None:
        return f"{owned.tactics_held} hidden"
    return ", ".join(map(words.tactic_name, owned.tactics)) or "none"


def _claimed(owned: ClanView) -> Iterator[str]:
    for claim in owned.claimed:
        shame = f" with {claim.shame} Shame" if claim.shame else ""
        yield f"{decks.HORDES[claim.card].name}{shame}"
