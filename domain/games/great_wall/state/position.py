"""A position as JSON: read with its contradictions found, and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition, require, require_different
from domain.engine.game import Json
from domain.engine.play import Step
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import OVERSEERS, PLACE_OF, SOLO, TOKENS, Token
from domain.games.great_wall.state import hordes, table
from domain.games.great_wall.state.clan_position import (
    Cards,
    ClanPosition,
    Few,
    named,
    read_clan,
    row_of,
    write_clan,
)
from domain.games.great_wall.state.clans import Claim, Clan
from domain.games.great_wall.state.hordes import Horde
from domain.games.great_wall.state.setup import Setup
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.steps.year import AnyStep
from domain.games.great_wall.state.table import Doubled, EndReason, Laid, Season, State

WOUND = "wound"
SEASONS: dict[type[Step], Season] = {
    year.Summer: "spring",
    year.Fall: "summer",
    year.RevealCommands: "fall",
    year.TakeTurn: "fall",
    year.EndCheck: "winter",
    year.Spring: "winter",
}
"""By the step with which the agenda begins, the season that it ends: GW-3.1."""
WAYS = {"right": 1, "down": hordes.COLUMNS}


class HordePosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Horde card on the board; `spots` says what lies where, such as `{"0,2": "wound"}`.

    A soldier is written at the first of its spots, by its clan: `1:spearman`, or `1:horseman:right`
    if its other spot is to the right, `1:horseman:down` if below.
    """

    card: str
    spots: dict[str, str] = {}
    struck: tuple[int, ...] = ()


class Position(
    msgspec.Struct, tag_field="game", tag="great_wall", frozen=True, forbid_unknown_fields=True,
    omit_defaults=True,
):  # fmt: skip
    """A table at any moment; cards that are nowhere else are in their decks."""

    clans: tuple[ClanPosition, ...]
    tea: tuple[int, ...] | None = None
    slot: Few | None = None
    season: Season | None = None
    shame: Few | None = None
    walls: dict[board.Section, Few] = {}
    barricades: dict[board.Section, Few] | None = None
    warehouse: dict[board.Resource, Few] = {}
    hordes: dict[board.Section, tuple[HordePosition, ...]] = {}
    horde_discard: Cards = ()
    indicator: board.Section | None = None
    advisors: Cards = ()
    advisor_discard: Cards = ()
    tactic_discard: Cards = ()
    played: Cards = ()
    artifacts: Cards = ()
    requests: Cards = ()
    fulfilled: Cards = ()
    events: Cards = ()
    breaches: Few = 0
    defeats: Few = 0
    track: tuple[Laid | None, ...] | None = None
    active: int | None = None
    doubled: tuple[Doubled, ...] = ()
    tokens: tuple[Token, ...] = ()
    agenda: tuple[AnyStep, ...] | None = None
    ended: EndReason | None = None
    winners: tuple[int, ...] = ()


def write_position(state: State) -> Json:
    """The position as JSON."""
    position = Position(
        clans=tuple(map(write_clan, state.clans)),
        tea=state.tea,
        slot=state.slot,
        season=state.season,
        shame=state.shame,
        walls=named(board.SECTIONS, state.walls),
        barricades=named(board.SECTIONS, state.barricades),
        warehouse=named(board.RESOURCES, state.warehouse),
        hordes={
            section: tuple(map(_write_horde, state.horde_cards(section)))
            for section in board.SECTIONS
            if state.horde_cards(section)
        },
        horde_discard=state.horde_discard,
        indicator=state.indicator,
        advisors=state.advisors,
        advisor_discard=state.advisor_discard,
        tactic_discard=state.tactic_discard,
        played=state.played,
        artifacts=state.artifacts,
        requests=state.requests,
        fulfilled=state.fulfilled,
        events=state.events,
        breaches=state.breaches,
        defeats=state.defeats,
        track=state.track,
        active=state.active,
        doubled=state.doubled,
        tokens=state.tokens,
        agenda=tuple(state.agenda),
        ended=state.ended,
        winners=state.winners,
    )
    written: Json = json_codec.to_json(position)
    return written


def _write_horde(horde: Horde) -> HordePosition:
    spots = {
        spot_name(spot): WOUND for spot, what in enumerate(horde.spots) if what == hordes.WOUND
    }
    for standing in horde.standing():
        spots[spot_name(standing.spot)] = _soldier(horde, standing)
    return HordePosition(horde.card, dict(sorted(spots.items())), horde.struck)


def _soldier(horde: Horde, standing: hordes.Standing) -> str:
    _, *other = horde.spots_of(standing.spot)
    ways = [way for way, distance in WAYS.items() if standing.spot + distance in other]
    return ":".join((str(standing.clan), standing.soldier, *ways))


def spot_name(spot: int) -> str:
    """A spot by its row and column, such as `0,2`: GW-10.7."""
    return f"{spot // hordes.COLUMNS},{spot % hordes.COLUMNS}"


SPOT_NUMBER = {spot_name(spot): spot for spot in range(hordes.SPOTS)}


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The table that this describes; BadPosition says what the box does not hold."""
    position = json_codec.read_position(Position, data)
    state = table.blank(setup, seats)
    require(len(position.clans) == len(state.clans), f"There are {len(state.clans)} `clans`.")
    _read_board(state, position)
    _read_course(state, position)
    _read_clans(state, position)
    _read_decks(state, position)
    _check_room(state)
    return state


def _read_board(state: State, position: Position) -> None:
    """Read Walls, Barricades, Horde cards: GW-2.1, GW-5.2, GW-8.8."""
    used = set(state.setup.table.sections)
    told = (position.walls, position.barricades or {}, position.hordes)
    require(all(set(one) <= used for one in told), f"The Sections in use are {sorted(used)}.")
    state.walls = row_of(board.SECTIONS, position.walls)
    require(max(state.walls) <= board.TOP_LEVEL, f"The highest level is {board.TOP_LEVEL}.")
    if position.barricades is not None:
        state.barricades = row_of(board.SECTIONS, position.barricades)
    require(max(state.barricades) <= board.BARRICADES, "A Section has three Barricades at most.")
    state.warehouse = row_of(board.RESOURCES, position.warehouse)
    require(not state.warehouse[board.CHI], "There is no chi in the Warehouse.")
    state.hordes = tuple(
        tuple(_read_horde(state, told) for told in position.hordes.get(section, ()))
        for section in board.SECTIONS
    )
    require(max(map(len, state.hordes)) <= board.ROWS, "A Section has three Horde cards at most.")


def _read_horde(state: State, told: HordePosition) -> Horde:
    """A Horde card with all that lies on it: GW-9.8, GW-10.1."""
    require(told.card in state.setup.hordes, f"There is no Horde card {told.card!r} in this game.")
    require(set(told.struck) <= set(range(len(state.clans))), "`struck` names clans.")
    horde = hordes.fresh(told.card)
    for name, what in told.spots.items():
        require(name in SPOT_NUMBER, f"There is no spot {name!r}.")
        horde = _covered(state, horde, SPOT_NUMBER[name], what)
    return msgspec.structs.replace(horde, struck=told.struck)


def _covered(state: State, horde: Horde, spot: int, what: str) -> Horde:
    """The card with a Wound marker or a soldier on a spot, which must be free."""
    clan, soldier, way = _parse(what)
    spots = (spot, spot + WAYS[way]) if way else (spot,)
    free = set(spots) <= set(horde.free()) and set(spots[1:]) <= set(hordes.NEIGHBOURS[spot])
    require(free, f"{spot_name(spot)} of {horde.card} is no free Vital spot for this.")
    if soldier is None:
        return horde.with_wounds(spots)
    require(clan in range(len(state.clans)), f"There is no clan {clan}.")
    return horde.with_soldier(clan, spots)


def _parse(what: str) -> tuple[int, str | None, str]:
    """The clan, the soldier and where its other spot is; neither for a Wound marker."""
    if what == WOUND:
        return 0, None, ""
    clan, _, rest = what.partition(":")
    soldier, _, way = rest.partition(":")
    fits = (soldier == "spearman" and not way) or (soldier == "horseman" and way in WAYS)
    if not clan.isdigit() or not fits:
        raise BadPosition(f"{what!r} is neither a wound nor a soldier, such as 0:spearman.")
    return int(clan), soldier, way


def _read_course(state: State, position: Position) -> None:
    """Read where the game has come to: GW-1.3, GW-4.1, GW-7.2."""
    state.tea = state.tea if position.tea is None else position.tea
    require(sorted(state.tea) == list(range(len(state.clans))), "`tea` names each clan once.")
    state.slot = state.slot if position.slot is None else position.slot
    require(state.slot < len(state.setup.slots), f"There are {len(state.setup.slots)} slots.")
    state.active, state.doubled = position.active, position.doubled
    if position.track is not None:
        state.track = position.track
    state.breaches, state.defeats = position.breaches, position.defeats
    slots = state.setup.table.command_slots
    require(len(state.track) == slots, f"The Command track has {slots} slots.")
    state.ended, state.winners = position.ended, position.winners
    state.tokens = position.tokens
    tokens = TOKENS if state.qin is not None else ()
    require(sorted(state.tokens) == sorted(tokens), "`tokens` are those of the Location track.")
    clans = [laid.clan for laid in state.track if laid]
    clans += [*state.winners, *(one.clan for one in state.doubled)]
    clans += [] if state.active is None else [state.active]
    require(set(clans) <= set(range(len(state.clans))), "Clans are numbered from 0.")
    state.agenda = _agenda(state, position)
    state.season = position.season
    if state.season is None and state.agenda and not isinstance(state.agenda[0], year.Fall):
        state.season = SEASONS.get(type(state.agenda[0]))  # the setup ends with the first Fall


def _agenda(state: State, position: Position) -> list[AnyStep]:
    """As given, or the choice of command cards."""
    over = position.ended is not None
    together = state.setup.table.mode != "standard"  # then all of them may have lost
    fits = over == bool(position.winners) or (over and together)
    require(fits, "There are `winners` if the game has `ended`.")
    if position.agenda is None and not over:
        return [year.RevealCommands(), year.ChooseCommand(tuple(range(state.seats)))]
    agenda = list(position.agenda or ())
    require(over != bool(agenda), "If, and only if, it has `ended` the `agenda` is empty.")
    named = {seat for step in agenda for seat in step.seats}
    require(named <= set(range(state.seats)), f"Seats go from 0 to {state.seats - 1}.")
    return agenda


def _read_clans(state: State, position: Position) -> None:
    """Read what the clans own, and what is left in the Shame pool: GW-1.2, GW-1.4."""
    for number, told in enumerate(position.clans):
        soldiers = Counter(
            one.soldier for place in state.places() for one in place.horde.standing(number)
        )
        laid = tuple(laid.card for laid in state.track if laid and laid.clan == number)
        on_hordes = row_of(board.SOLDIERS, soldiers)
        hand = tuple(decks.COMMANDS) if number < state.seats else ()
        state.clans[number] = read_clan(told, state.clans[number], on_hordes, laid, hand)
    there = state.setup.table.shame_pool - sum(clan.shame for clan in state.clans)
    state.shame = there if position.shame is None else position.shame
    require(0 <= state.shame <= there, "There are more Shame tokens than the game has.")


def _read_decks(state: State, position: Position) -> None:
    """Put into the decks what is nowhere else; no card is twice: GW-1.4, GW-2.3."""
    clans, setup = position.clans, state.setup
    state.horde_discard, state.indicator = position.horde_discard, position.indicator
    state.advisors, state.advisor_discard = position.advisors, position.advisor_discard
    state.tactic_discard, state.played = position.tactic_discard, position.played
    state.artifacts = position.artifacts
    _rest("artifacts", setup.artifacts, state.artifacts)
    state.requests, state.fulfilled = position.requests, position.fulfilled
    state.request_deck = _rest("requests", setup.requests, state.requests, state.fulfilled)
    state.events = position.events
    state.event_deck = _rest("events", setup.events, state.events)
    lying = (place.horde.card for place in state.places())
    claimed = (claim.card for clan in clans for claim in clan.claimed)
    state.horde_deck = _rest("hordes", setup.hordes, state.horde_discard, lying, claimed)
    seen = {decks.HORDES[card].invasion for card in state.horde_deck}
    require(state.indicator is None or state.indicator in seen, "No such `indicator` is left.")
    state.advisor_deck = _rest(
        "advisors",
        setup.advisors,
        state.advisors,
        state.advisor_discard,
        *((*clan.active, *clan.supporting, *clan.dealt_advisors) for clan in clans),
    )
    tactics = (clan.tactics for clan in clans)
    gone = (state.tactic_discard, state.played)
    state.tactic_deck = _rest("tactics", setup.tactics, *gone, *tactics)
    dealt = [card for clan in clans for card in clan.dealt_generals]
    kept = [clan.general for clan in clans if clan.general]
    generals = _rest("generals", setup.generals, dealt, kept)
    state.general_deck = generals if dealt or not kept else ()
    if state.qin is not None:
        _read_solo_deck(state, state.qin)


def _read_solo_deck(state: State, qin: int) -> None:
    """The command cards of Qin Jiushao that are nowhere else are still to come: GW-14.2."""
    clan = state.clans[qin]
    laid = (one.card for one in state.track if one and one.clan == qin)
    shown = () if clan.shown is None else (clan.shown,)
    state.solo_deck = _rest("discard", tuple(SOLO), clan.discard, laid, shown)


def _rest(name: str, deck: Sequence[str], *elsewhere: Iterable[str]) -> Cards:
    """The cards of a deck that are nowhere else; BadPosition if one is twice or unknown."""
    gone = [card for cards in elsewhere for card in cards]
    require_different(gone, name)
    if stray := set(gone) - set(deck):
        raise BadPosition(f"There is no {min(stray)!r} among the `{name}` of this game.")
    return tuple(card for card in deck if card not in gone)


def _check_room(state: State) -> None:
    """Refuse more Archers and clerks than there is room for: GW-1.8, GW-6.1, GW-10.5."""
    for section in board.SECTIONS:
        require(state.free_firing_spots(section) >= 0, f"{section}: there is no Firing spot left.")
        away = any(clan.firing_in(section) + sum(clan.resting(section)) for clan in state.clans)
        used = section in state.setup.table.sections
        require(used or not away, f"The Section {section} is not in use.")
    for location in board.LOCATIONS:
        require((state.room(location) or 0) >= 0, f"{location}: there is no slot left.")
    if state.reed is not None:
        _check_reed(state.clans[state.reed])
    if state.qin is not None:
        _check_qin(state.clans[state.qin])


def _check_reed(reed: Clan) -> None:
    """It owns clerks, all of them on Locations, and Spearmen, and no more: GW-15.2, GW-15.4."""
    require(max(reed.clerks) <= 1, "The Reed Clan has one clerk each.")
    require(not reed.clerks_pool, "The clerks of the Reed Clan are on Locations.")
    bare = Clan(0, 0, reed.pool, clerks=reed.clerks)
    require(reed == bare, "The Reed Clan has clerks and Spearmen, and nothing else.")


def _check_qin(qin: Clan) -> None:
    """He owns no resources and nothing that somebody chooses: GW-14.2, GW-14.6, GW-14.9."""
    bare = Clan(
        qin.clerks_pool,
        0,
        qin.pool,
        clerks=qin.clerks,
        overseers=qin.overseers,
        firing=qin.firing,
        supporting=qin.supporting,
        discard=qin.discard,
        claimed=tuple(Claim(claim.card) for claim in qin.claimed),
        honor=qin.honor,
        counted=qin.counted,
        shown=qin.shown,
    )
    require(qin == bare, "Qin Jiushao has neither resources nor Shame, and chooses nothing.")
    on_track = {board.LOCATION_NUMBER[place] for place in PLACE_OF.values()}
    away = [number for number, count in enumerate(qin.clerks) if count and number not in on_track]
    require(not away, "Clerks of Qin Jiushao are in Locations of his track.")
    staff = tuple(OVERSEERS[place] for place in board.PRODUCTION)
    soldiers = tuple(one.soldier if one else None for one in qin.overseers)
    require(soldiers == staff, "Qin Jiushao has an Overseer in each production Location.")
