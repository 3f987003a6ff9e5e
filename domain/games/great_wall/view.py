"""What each seat may know of the table: GW-1.10."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec.structs import asdict

from domain.engine.game import seats_to_move
from domain.engine.play import Seat
from domain.engine.positions.forms import by_name
from domain.engine.scoring import Scoring
from domain.games.great_wall import board as box
from domain.games.great_wall import scoring
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import QIN, Token
from domain.games.great_wall.rules import winter
from domain.games.great_wall.rules.costs import Costs, costs_of
from domain.games.great_wall.rules.war import defeat
from domain.games.great_wall.state.clans import Claim, Clan, Overseer
from domain.games.great_wall.state.hordes import WOUND, PlacedSoldier
from domain.games.great_wall.state.position import spot_name
from domain.games.great_wall.state.steps import AnyStep
from domain.games.great_wall.state.table import ClerkBonus, LaidCommand, PlacedHorde, Season, State

MAX_CARDS = 128
"""There are fewer kinds of Horde cards."""
UNKNOWN_SUPPORTERS = QIN.start_supporting
"""How many advisors under the card of Qin Jiushao are unknown to all: GW-14.3."""


class SpotView(msgspec.Struct, frozen=True, gc=False):
    """A Vital spot. For a Horseman, both of its spots name the clan that covers them."""

    at: str  # row and column, such as `0,2`
    reward: dict[str, int]
    wounded: bool
    clan: int | None
    soldier: box.Soldier | None


class HordeView(msgspec.Struct, frozen=True, gc=False):
    """A Horde card on the board."""

    card: str
    type: str
    name: str
    row: int
    power: int
    honor: int
    ability: str
    text: str
    lethality: int  # how many soldiers of each player it would kill now: GW-4.2
    spots: tuple[SpotView, ...]
    full: bool


class SectionView(msgspec.Struct, frozen=True, gc=False):
    """A Section of the Wall, and what stands before it."""

    section: box.Section
    level: int
    barricades: int
    defense: int
    power: int
    firing_spots: int
    hordes: tuple[HordeView, ...]


class LocationView(msgspec.Struct, frozen=True, gc=False):
    """A Location with its clerks."""

    location: box.Location
    name: str
    slots: int | None  # null without a limit
    shame_icon: bool
    clerks: tuple[int, ...]  # number by clan


class ClanView(msgspec.Struct, frozen=True, gc=False):
    """What a clan owns; null where the viewer may not know it."""

    colour: str
    general: str
    active: tuple[str, ...]
    supporting: tuple[str | None, ...]
    commands: tuple[str, ...]
    """Command cards in hand, including the one that others chose in secret."""
    chosen: str | None  # your command card that is not shown yet
    ready: bool  # whether it has chosen while others still choose
    discard: tuple[str, ...]
    tactics: tuple[str, ...] | None
    tactics_held: int
    reaction: tuple[str | None, bool] | None  # your answer at this moment, and whether boosted
    passing: tuple[str, ...]
    dealt_generals: tuple[str, ...]
    dealt_advisors: tuple[str, ...]
    resources: dict[box.Resource, int] | None
    honor: int
    pool: dict[box.Soldier, int]
    shamed: dict[box.Soldier, int]
    lost: dict[box.Soldier, int]  # by type, soldiers that left the game: GW-16.11
    rest: dict[box.Section, dict[box.Soldier, int]]
    firing: dict[box.Section, int]
    overseers: dict[box.Location, Overseer]
    clerks_pool: int
    clerks_space: int
    claimed: tuple[Claim, ...]
    defeated: tuple[str, ...]  # ids of Horde cards it claimed that were discarded at once: GW-16.9
    costs: Costs | None  # what things cost it now; null for clans without a seat


class QinView(msgspec.Struct, frozen=True, gc=False):
    """The public information about Qin Jiushao: GW-14.2, GW-14.3."""

    clan: int  # his number among the clans
    tokens: tuple[Token, ...]  # his Location track, from the highest token to the lowest: GW-14.3
    deck: int  # how many of his command cards are still to come
    score: int  # his honor with all that counts at the end: GW-14.14


class View(msgspec.Struct, frozen=True, tag_field="game", tag="great_wall"):
    """The table as one seat, or a spectator, may see it."""

    player_count: int
    reed: int | None  # the number of the Reed Clan, if it takes part
    slots: tuple[box.Slot, ...]
    open_resources: bool
    slot: int
    year: int
    season: Season | None
    active: int | None
    tea: tuple[int, ...]
    shame: int
    sections: tuple[SectionView, ...]
    locations: tuple[LocationView, ...]
    warehouse: dict[box.Resource, int]
    track: tuple[LaidCommand | None, ...]
    shown: tuple[LaidCommand, ...]  # command cards that are shown but not on the track yet
    advisors: tuple[str, ...]
    advisor_deck: int
    advisor_discard: tuple[str, ...]
    indicator: box.Section | None
    horde_deck: int
    horde_discard: tuple[str, ...]
    tactic_deck: int
    tactic_discard: tuple[str, ...]
    played: tuple[str, ...]
    artifacts: tuple[str, ...]
    doubled: tuple[ClerkBonus, ...]
    clans: tuple[ClanView, ...]
    scores: tuple[int, ...]
    step: AnyStep | None
    awaiting: tuple[Seat, ...]
    seat: Seat | None
    ended: str | None
    winners: tuple[Seat, ...]
    mode: box.Mode  # standard, solo or cooperative: GW-1.1
    shame_pool: int  # how many Shame tokens there were at the start: GW-2.1
    qin: QinView | None  # the view of Qin Jiushao; null if he takes no part: GW-14.2
    requests: tuple[str, ...]  # ids of the open Requests of the Emperor: GW-16.11
    request_deck: int  # how many Requests are still to come
    fulfilled: tuple[str, ...]  # ids of the Requests that were fulfilled: GW-16.2
    requests_to_win: int  # how many must be fulfilled: GW-16.2
    breaches: int  # Sections that were breached this Year, as Requests ask: GW-18.10
    defeats: int  # Horde cards that were defeated this Year, as Requests ask: GW-18.10
    events: tuple[str, ...]  # ids of the events that were revealed: GW-16.14
    event_deck: int  # how many events are still to come


def view(state: State, seat: Seat | None) -> View:
    """The public table, and what this seat knows in addition: GW-1.10."""
    table, score = state.setup.table, scoring.scoring(state)
    return View(
        player_count=state.seats,
        reed=state.reed,
        slots=state.setup.slots,
        open_resources=state.setup.open_resources,
        slot=state.slot,
        year=state.year,
        season=state.season,
        active=state.active,
        tea=state.tea,
        shame=state.shame,
        sections=tuple(_section(state, section) for section in table.sections),
        locations=tuple(_location(state, location) for location in box.LOCATIONS),
        warehouse=by_name(box.RESOURCES, state.warehouse),
        track=state.track,
        shown=tuple(
            LaidCommand(number, clan.shown) for number, clan in enumerate(state.clans) if clan.shown
        ),
        advisors=state.advisors,
        advisor_deck=len(state.advisor_deck),
        advisor_discard=state.advisor_discard,
        indicator=state.indicator,
        horde_deck=len(state.horde_deck),
        horde_discard=state.horde_discard,
        tactic_deck=len(state.tactic_deck),
        tactic_discard=state.tactic_discard,
        played=state.played,
        artifacts=state.artifacts,
        doubled=state.doubled,
        clans=tuple(_clan(state, number, seat) for number in range(len(state.clans))),
        scores=tuple(line.points for line in score.lines),
        step=state.agenda[-1] if state.agenda else None,
        awaiting=seats_to_move(state),
        seat=seat,
        ended=state.ended,
        winners=state.winners,
        mode=table.mode,
        shame_pool=table.shame_pool,
        qin=_qin(state, score),
        events=state.events,
        event_deck=len(state.event_deck),
        requests=state.requests,
        request_deck=len(state.request_deck),
        fulfilled=state.fulfilled,
        requests_to_win=table.requests_to_win,
        breaches=state.breaches,
        defeats=state.defeats,
    )


def _qin(state: State, score: Scoring) -> QinView | None:
    """The view of Qin Jiushao; None if he takes no part: GW-14.2, GW-14.3."""
    if state.qin is None:
        return None
    return QinView(state.qin, state.tokens, len(state.solo_deck), score.rivals[0].points)


def _section(state: State, section: box.Section) -> SectionView:
    level = state.wall(section)
    return SectionView(
        section=section,
        level=level,
        barricades=state.barricades_in(section),
        defense=winter.defense(state, section),
        power=winter.power(state, section),
        firing_spots=box.WALL[level].firing_spots,
        hordes=tuple(
            _horde(state, place) for place in state.hordes_on_board() if place.section == section
        ),
    )


def _horde(state: State, place: PlacedHorde) -> HordeView:
    printed = decks.HORDES[place.horde.card]
    return HordeView(
        card=printed.id,
        type=printed.type,
        name=printed.name,
        row=place.row,
        power=printed.power,
        honor=printed.honor,
        ability=printed.ability.kind,
        text=printed.text,
        lethality=defeat.lethality(state, place),
        spots=_spots(place),
        full=place.horde.full,
    )


def _spots(place: PlacedHorde) -> tuple[SpotView, ...]:
    """All Vital spots in reading order."""
    covered: dict[int, PlacedSoldier] = {}
    for standing in place.horde.soldiers():
        covered.update(dict.fromkeys(place.horde.spots_of(standing.spot), standing))
    return tuple(
        SpotView(
            at=name,
            reward=reward,
            wounded=place.horde.spots[spot] == WOUND,
            clan=covered[spot].clan if spot in covered else None,
            soldier=covered[spot].soldier if spot in covered else None,
        )
        for spot, name, reward in _rewards(place.horde.card)
    )


@lru_cache(maxsize=MAX_CARDS)
def _rewards(card: str) -> tuple[tuple[int, str, dict[str, int]], ...]:
    """The Vital spots of a Horde card with their names and rewards, which nothing changes."""
    return tuple(
        (spot, spot_name(spot), {name: count for name, count in asdict(reward).items() if count})
        for spot, reward in enumerate(decks.HORDES[card].grid)
        if reward is not None
    )


def _location(state: State, location: box.Location) -> LocationView:
    place = box.PLACES[location]
    return LocationView(
        location=location,
        name=place.name,
        slots=place.slots[state.setup.table.side],
        shame_icon=place.shame_icon,
        clerks=tuple(clan.at(location) for clan in state.clans),
    )


def _clan(state: State, number: int, seat: Seat | None) -> ClanView:
    clan, own = state.clans[number], number == seat
    counted = own or number >= state.seats or state.setup.open_resources
    return ClanView(
        colour=_colour(state, number),
        general=clan.general,
        active=clan.active,
        supporting=_supporting(clan, own, UNKNOWN_SUPPORTERS if number == state.qin else 1),
        commands=visible_commands(clan, own),
        chosen=clan.command if own else None,
        ready=bool(clan.command or clan.leaders or clan.reaction),
        discard=clan.discard,
        tactics=clan.tactics if own else None,
        tactics_held=len(clan.tactics),
        reaction=(clan.reaction.card, clan.reaction.boosted) if own and clan.reaction else None,
        passing=clan.passing,
        dealt_generals=clan.dealt_generals if own else (),
        dealt_advisors=clan.dealt_advisors if own else (),
        resources=by_name(box.RESOURCES, clan.resources) if counted else None,
        honor=clan.honor,
        pool=by_name(box.SOLDIERS, clan.pool),
        shamed=by_name(box.SOLDIERS, clan.shamed),
        lost=by_name(box.SOLDIERS, clan.lost),
        rest={
            section: by_name(box.SOLDIERS, clan.resting(section))
            for section in box.SECTIONS
            if any(clan.resting(section))
        },
        firing=by_name(box.SECTIONS, clan.firing),
        overseers={place: one for place in box.PRODUCTION if (one := clan.overseer(place))},
        clerks_pool=clan.clerks_pool,
        clerks_space=clan.clerks_space,
        claimed=clan.claimed,
        defeated=clan.defeated,
        costs=costs_of(state, number) if number < state.seats else None,
    )


def _colour(state: State, number: int) -> str:
    """The colour of a clan: GW-1.2, GW-14.2, GW-15.2."""
    if number < state.seats:
        return box.CLANS[number]
    return "reed" if number == state.reed else "qin"


def _supporting(clan: Clan, known: bool, down: int) -> tuple[str | None, ...]:
    """The supporting advisors; the first `down` are secret unless `known`: GW-1.10, GW-14.3."""
    if known:
        return clan.supporting
    return *(None for _ in clan.supporting[:down]), *clan.supporting[down:]


def visible_commands(clan: Clan, own: bool) -> tuple[str, ...]:
    """The hand. For others it includes the card chosen in secret: GW-1.10, GW-7.1."""
    if own or clan.command is None:
        return clan.hand
    return tuple(card for card in decks.COMMANDS if card in (*clan.hand, clan.command))
