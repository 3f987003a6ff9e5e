"""What a clan may still come to: the numbers from which the evaluation is made."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Seat
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.rules import winter
from domain.games.great_wall.scoring import breakdown
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.steps.year import ChooseLeaders
from domain.games.great_wall.state.table import Place, State

MANY = 12
"""Resources of a clan beyond these are hardly ever used."""
TOKENS = 2.5
"""Shame tokens that each player is likely to take out of the pool in a Year."""


def years_left(state: State) -> float:
    """How many Years are likely to follow this one: GW-13.8."""
    years = len(state.setup.slots) - 1 - state.slot
    return min(years, state.shame / (TOKENS * state.seats))


def score(state: State, seat: Seat) -> int:
    """The points of a seat as they stand: GW-13.9."""
    return sum(breakdown(state, seat).values())


def undealt(state: State) -> bool:
    """Whether everybody still chooses, before goods are dealt: GW-2.8, GW-2.11."""
    return bool(state.agenda) and isinstance(state.agenda[-1], ChooseLeaders)


def numbers(state: State, seat: Seat) -> tuple[float, ...]:
    """What counts for a seat, in the order of NAMES."""
    clan, left = state.clans[seat], years_left(state)
    levels = sum(one.level for one in clan.overseers if one)
    material = sum(clan.resources[: board.CHI])
    return (
        1.0,
        left,
        min(material, MANY),
        min(clan.has("chi"), MANY),
        levels,
        levels * left,
        clan.clerks_owned * left,
        len(clan.active),
        len(clan.active) * left,
        len(clan.supporting) * left,
        len(clan.tactics),
        sum(clan.firing),
        sum(clan.firing) * left,
        sum(clan.shamed),
        min(sum(clan.pool), MANY),
        len(clan.hand),
        len(clan.discard),
        state.tea.index(seat),
        *hordes(state, seat),
        *_clerks(state, clan, material),
    )


NAMES = (
    "always",
    "years",
    "material",
    "chi",
    "overseer levels",
    "overseer levels, for each year",
    "clerks, for each year",
    "active advisors",
    "active advisors, for each year",
    "supporting advisors, for each year",
    "tactic cards",
    "archers in firing spots",
    "archers in firing spots, for each year",
    "soldiers under shame",
    "soldiers in the pool",
    "command cards in hand",
    "command cards in the discard",
    "clans above in tea order",
    "spots covered",
    "claims in sight",
    "breaches in sight",
    "production clerks",
    "clerks in the barracks",
)


def hordes(state: State, seat: Seat) -> tuple[float, float, float]:
    """Spots covered, the worth of cards that the seat may claim, tokens if Winter came now."""
    covered, claims = 0, 0.0
    for place in state.places():
        own = place.horde.covered(seat)
        covered += own
        if own:
            claims += _claim(state, seat, place, own)
    return covered, claims, sum(tokens(state, seat))


def _claim(state: State, seat: Seat, place: Place, own: int) -> float:
    """The honor of a card that the seat covers most of, the more of it is full the more."""
    spots = place.horde.spots
    full = 1 - sum(1 for _ in place.horde.free()) / (len(spots) - spots.count(0))
    most = max(place.horde.covered(clan) for clan in range(len(state.clans)))
    return full * decks.HORDES[place.horde.card].honor * (own == most)


def tokens(state: State, seat: Seat) -> Iterator[int]:
    """By Section that would be breached, the Horde cards on which the seat has no soldier."""
    for section in state.setup.table.sections:
        cards = state.horde_cards(section)
        if cards and winter.power(state, section) > winter.defense(state, section):
            yield sum(not horde.covered(seat) for horde in cards)


def _clerks(state: State, clan: Clan, material: int) -> Iterator[float]:
    """Clerks in Locations that are nearly full, as long as they are of use."""
    yield sum(clan.at(place) * _share(state, place) for place in board.PRODUCTION)
    yield min(clan.at("barracks"), material // 3) * _share(state, "barracks")


def _share(state: State, place: board.Location) -> float:
    """How full a regular Location is."""
    slots = board.PLACES[place].slots[state.setup.table.side]
    assert slots is not None
    return state.clerks_at(place) / slots
