"""The prospects of a clan: the features that the evaluation uses."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Seat
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.rules import winter
from domain.games.great_wall.scoring import breakdown
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.steps import ChooseLeaders
from domain.games.great_wall.state.table import PlacedHorde, State

MAX_USEFUL_RESOURCES = 12
"""More resources of a clan than this hardly help."""
SHAME_PER_PLAYER_AND_YEAR = 2.5
"""How many Shame tokens each player usually takes out of the pool in a Year."""


def years_left(state: State) -> float:
    """How many more Years are likely: GW-13.8."""
    years = len(state.setup.slots) - 1 - state.slot
    return min(years, state.shame / (SHAME_PER_PLAYER_AND_YEAR * state.seats))


def score(state: State, seat: Seat) -> int:
    """The current points of a seat: GW-13.9."""
    return sum(breakdown(state, seat).values())


def is_before_deal(state: State) -> bool:
    """Whether all seats still choose leaders, before goods are dealt: GW-2.8, GW-2.11."""
    return bool(state.agenda) and isinstance(state.agenda[-1], ChooseLeaders)


def compute_features(state: State, seat: Seat) -> tuple[float, ...]:
    """The features of a seat, in the order of NAMES."""
    clan, left = state.clans[seat], years_left(state)
    levels = sum(one.level for one in clan.overseers if one)
    material = sum(clan.resources[: board.CHI])
    return (
        1.0,
        left,
        min(material, MAX_USEFUL_RESOURCES),
        min(clan.has("chi"), MAX_USEFUL_RESOURCES),
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
        min(sum(clan.pool), MAX_USEFUL_RESOURCES),
        len(clan.hand),
        len(clan.discard),
        state.tea.index(seat),
        *rate_hordes(state, seat),
        *_rate_clerks(state, clan, material),
    )


FEATURES = (
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


def rate_hordes(state: State, seat: Seat) -> tuple[float, float, float]:
    """The Vital spots that the seat covers, the value of the cards it may claim, and the tokens
    that it would get if Winter came now.
    """
    covered, claims = 0, 0.0
    for place in state.hordes_on_board():
        own = place.horde.count_covered(seat)
        covered += own
        if own:
            claims += _rate_claim(state, seat, place, own)
    return covered, claims, sum(count_breach_tokens(state, seat))


def _rate_claim(state: State, seat: Seat, place: PlacedHorde, own: int) -> float:
    """The honor of a card that the seat covers most of, times the part of it that is full."""
    spots = place.horde.spots
    full = 1 - sum(1 for _ in place.horde.free()) / (len(spots) - spots.count(0))
    most = max(place.horde.count_covered(clan) for clan in range(len(state.clans)))
    return full * decks.HORDES[place.horde.card].honor * (own == most)


def count_breach_tokens(state: State, seat: Seat) -> Iterator[int]:
    """By Section that would be breached, the number of Horde cards without soldiers of the seat."""
    for section in state.setup.table.sections:
        if expects_breach(state, section):
            yield sum(not horde.count_covered(seat) for horde in state.horde_cards(section))


def expects_breach(state: State, section: board.Section) -> bool:
    """Whether a Section would be breached if Winter came now: GW-13.3."""
    cards = state.horde_cards(section)
    return bool(cards) and winter.power(state, section) > winter.defense(state, section)


def _rate_clerks(state: State, clan: Clan, material: int) -> Iterator[float]:
    """How full the Locations with the clan's clerks are, as far as it can use these clerks."""
    yield sum(clan.at(place) * _fullness(state, place) for place in board.PRODUCTION)
    yield min(clan.at("barracks"), material // 3) * _fullness(state, "barracks")


def _fullness(state: State, place: board.Location) -> float:
    """How full a regular Location is, from 0 to 1."""
    slots = board.PLACES[place].slots[state.setup.table.side]
    assert slots is not None
    return state.clerks_at(place) / slots
