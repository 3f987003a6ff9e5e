"""Positions as JSON: reads them, refuses contradictions, and writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition, require, require_distinct
from domain.engine.game import Json
from domain.engine.play import Step
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import OVERSEERS, PLACE_OF, SOLO, TOKENS, Token
from domain.games.great_wall.state import clan_position, hordes, steps, table
from domain.games.great_wall.state.clans import Claim, Clan
from domain.games.great_wall.state.hordes import Horde
from domain.games.great_wall.state.setup import Setup
from domain.games.great_wall.state.steps import AnyStep
from domain.games.great_wall.state.table import ClerkBonus, EndReason, LaidCommand, Season, State

WOUND = "wound"
SEASONS: dict[type[Step], Season] = {
    steps.Summer: "spring",
    steps.Fall: "summer",
    steps.RevealCommands: "fall",
    steps.TakeTurn: "fall",
    steps.EndCheck: "winter",
    steps.Spring: "winter",
}
"""By the step with which the agenda begins, the season that it ends: GW-3.1."""
WAYS = {"right": 1, "down": hordes.COLUMNS}


class HordePosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Horde card on the board; `spots` has what lies on each spot, such as `{"0,2": "wound"}`.

    A soldier is listed at the first of its spots, by its clan: `1:spearman`; or `1:horseman:right`
    if its other spot is to the right, `1:horseman:down` if it is below.
    """

    card: str
    spots: dict[str, str] = {}
    struck: tuple[int, ...] = ()


class Position(
    msgspec.Struct, tag_field="game", tag="great_wall", frozen=True, forbid_unknown_fields=True,
    omit_defaults=True,
):  # fmt: skip
    """A table at any moment. clan_position.Cards that it does not list are in their decks."""

    clans: tuple[clan_position.ClanPosition, ...]
    tea: tuple[int, ...] | None = None
    slot: clan_position.Few | None = None
    season: Season | None = None
    shame: clan_position.Few | None = None
    walls: dict[board.Section, clan_position.Few] = {}
    barricades: dict[board.Section, clan_position.Few] | None = None
    warehouse: dict[board.Resource, clan_position.Few] = {}
    hordes: dict[board.Section, tuple[HordePosition, ...]] = {}
    horde_discard: clan_position.Cards = ()
    indicator: board.Section | None = None
    advisors: clan_position.Cards = ()
    advisor_discard: clan_position.Cards = ()
    tactic_discard: clan_position.Cards = ()
    played: clan_position.Cards = ()
    artifacts: clan_position.Cards = ()
    requests: clan_position.Cards = ()
    fulfilled: clan_position.Cards = ()
    events: clan_position.Cards = ()
    breaches: clan_position.Few = 0
    defeats: clan_position.Few = 0
    track: tuple[LaidCommand | None, ...] | None = None
    active: int | None = None
    doubled: tuple[ClerkBonus, ...] = ()
    tokens: tuple[Token, ...] = ()
    agenda: tuple[AnyStep, ...] | None = None
    ended: EndReason | None = None
    winners: tuple[int, ...] = ()


def write_position(state: State) -> Json:
    """The position as JSON."""
    position = Position(
        clans=tuple(map(clan_position.write_clan, state.clans)),
        tea=state.tea,
        slot=state.slot,
        season=state.season,
        shame=state.shame,
        walls=clan_position.name_counts(board.SECTIONS, state.walls),
        barricades=clan_position.name_counts(board.SECTIONS, state.barricades),
        warehouse=clan_position.name_counts(board.RESOURCES, state.warehouse),
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
    for standing in horde.soldiers():
        spots[spot_name(standing.spot)] = _write_soldier(horde, standing)
    return HordePosition(horde.card, dict(sorted(spots.items())), horde.struck)


def _write_soldier(horde: Horde, standing: hordes.PlacedSoldier) -> str:
    _, *other = horde.spots_of(standing.spot)
    ways = [way for way, distance in WAYS.items() if standing.spot + distance in other]
    return ":".join((str(standing.clan), standing.soldier, *ways))


def spot_name(spot: int) -> str:
    """A spot by its row and column, such as `0,2`: GW-10.7."""
    return f"{spot // hordes.COLUMNS},{spot % hordes.COLUMNS}"


SPOT_NUMBER = {spot_name(spot): spot for spot in range(hordes.SPOTS)}


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The table of this JSON. Raises BadPosition if the box does not hold it."""
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
    given = (position.walls, position.barricades or {}, position.hordes)
    require(all(set(one) <= used for one in given), f"The Sections in use are {sorted(used)}.")
    state.walls = clan_position.row_of(board.SECTIONS, position.walls)
    require(max(state.walls) <= board.TOP_LEVEL, f"The highest level is {board.TOP_LEVEL}.")
    if position.barricades is not None:
        state.barricades = clan_position.row_of(board.SECTIONS, position.barricades)
    require(max(state.barricades) <= board.BARRICADES, "A Section has three Barricades at most.")
    state.warehouse = clan_position.row_of(board.RESOURCES, position.warehouse)
    require(not state.warehouse[board.CHI], "There is no chi in the Warehouse.")
    state.hordes = tuple(
        tuple(_read_horde(state, given) for given in position.hordes.get(section, ()))
        for section in board.SECTIONS
    )
    require(max(map(len, state.hordes)) <= board.ROWS, "A Section has three Horde cards at most.")


def _read_horde(state: State, given: HordePosition) -> Horde:
    """A Horde card with all that lies on it: GW-9.8, GW-10.1."""
    require(
        given.card in state.setup.hordes, f"There is no Horde card {given.card!r} in this game."
    )
    require(set(given.struck) <= set(range(len(state.clans))), "`struck` names clans.")
    horde = hordes.new_horde(given.card)
    for name, what in given.spots.items():
        require(name in SPOT_NUMBER, f"There is no spot {name!r}.")
        horde = _cover(state, horde, SPOT_NUMBER[name], what)
    return msgspec.structs.replace(horde, struck=given.struck)


def _cover(state: State, horde: Horde, spot: int, what: str) -> Horde:
    """The card with a Wound marker or a soldier on a spot, which must be free."""
    clan, soldier, way = _parse(what)
    spots = (spot, spot + WAYS[way]) if way else (spot,)
    free = set(spots) <= set(horde.free()) and set(spots[1:]) <= set(hordes.NEIGHBOURS[spot])
    require(free, f"{spot_name(spot)} of {horde.card} is not a free Vital spot for this.")
    if soldier is None:
        return horde.with_wounds(spots)
    require(clan in range(len(state.clans)), f"There is no clan {clan}.")
    return horde.with_soldier(clan, spots)


def _parse(what: str) -> tuple[int, str | None, str]:
    """The clan, the soldier, and the direction of its other spot; no soldier for a Wound marker."""
    if what == WOUND:
        return 0, None, ""
    clan, _, rest = what.partition(":")
    soldier, _, way = rest.partition(":")
    fits = (soldier == "spearman" and not way) or (soldier == "horseman" and way in WAYS)
    if not clan.isdigit() or not fits:
        raise BadPosition(f"{what!r} is neither a wound nor a soldier, such as 0:spearman.")
    return int(clan), soldier, way


def _read_course(state: State, position: Position) -> None:
    """Read the progress of the game: GW-1.3, GW-4.1, GW-7.2."""
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
    if state.season is None and state.agenda and not isinstance(state.agenda[0], steps.Fall):
        state.season = SEASONS.get(type(state.agenda[0]))  # the setup ends with the first Fall


def _agenda(state: State, position: Position) -> list[AnyStep]:
    """The agenda as given; without one, the choice of command cards."""
    over = position.ended is not None
    together = state.setup.table.mode != "standard"  # here all can lose
    fits = over == bool(position.winners) or (over and together)
    require(fits, "There are `winners` if the game has `ended`.")
    if position.agenda is None and not over:
        return [steps.RevealCommands(), steps.ChooseCommand(tuple(range(state.seats)))]
    agenda = list(position.agenda or ())
    require(over != bool(agenda), "The `agenda` is empty exactly if the game has `ended`.")
    named = {seat for step in agenda for seat in step.seats}
    require(named <= set(range(state.seats)), f"Seats go from 0 to {state.seats - 1}.")
    return agenda


def _read_clans(state: State, position: Position) -> None:
    """Read what the clans own, and how many tokens are in the Shame pool: GW-1.2, GW-1.4."""
    for number, given in enumerate(position.clans):
        soldiers = Counter(
            one.soldier for place in state.hordes_on_board() for one in place.horde.soldiers(number)
        )
        laid = tuple(laid.card for laid in state.track if laid and laid.clan == number)
        on_hordes = clan_position.row_of(board.SOLDIERS, soldiers)
        hand = tuple(decks.COMMANDS) if number < state.seats else ()
        state.clans[number] = clan_position.read_clan(
            given, state.clans[number], on_hordes, laid, hand
        )
    there = state.setup.table.shame_pool - sum(clan.shame for clan in state.clans)
    state.shame = there if position.shame is None else position.shame
    require(0 <= state.shame <= there, "The game does not have that many Shame tokens.")


def _read_decks(state: State, position: Position) -> None:
    """Put the cards that are nowhere else into the decks, each once: GW-1.4, GW-2.3."""
    clans, setup = position.clans, state.setup
    state.horde_discard, state.indicator = position.horde_discard, position.indicator
    state.advisors, state.advisor_discard = position.advisors, position.advisor_discard
    state.tactic_discard, state.played = position.tactic_discard, position.played
    state.artifacts = position.artifacts
    _find_rest("artifacts", setup.artifacts, state.artifacts)
    state.requests, state.fulfilled = position.requests, position.fulfilled
    state.request_deck = _find_rest("requests", setup.requests, state.requests, state.fulfilled)
    state.events = position.events
    state.event_deck = _find_rest("events", setup.events, state.events)
    lying = (place.horde.card for place in state.hordes_on_board())
    claimed = (claim.card for clan in clans for claim in clan.claimed)
    state.horde_deck = _find_rest("hordes", setup.hordes, state.horde_discard, lying, claimed)
    seen = {decks.HORDES[card].invasion for card in state.horde_deck}
    require(
        state.indicator is None or state.indicator in seen,
        "No card in the deck has this `indicator`.",
    )
    state.advisor_deck = _find_rest(
        "advisors",
        setup.advisors,
        state.advisors,
        state.advisor_discard,
        *((*clan.active, *clan.supporting, *clan.dealt_advisors) for clan in clans),
    )
    tactics = (clan.tactics for clan in clans)
    gone = (state.tactic_discard, state.played)
    state.tactic_deck = _find_rest("tactics", setup.tactics, *gone, *tactics)
    dealt = [card for clan in clans for card in clan.dealt_generals]
    kept = [clan.general for clan in clans if clan.general]
    generals = _find_rest("generals", setup.generals, dealt, kept)
    state.general_deck = generals if dealt or not kept else ()
    if state.qin is not None:
        _read_solo_deck(state, state.qin)


def _read_solo_deck(state: State, qin: int) -> None:
    """Put into the deck of Qin Jiushao his command cards that are nowhere else: GW-14.2."""
    clan = state.clans[qin]
    laid = (one.card for one in state.track if one and one.clan == qin)
    shown = () if clan.shown is None else (clan.shown,)
    state.solo_deck = _find_rest("discard", tuple(SOLO), clan.discard, laid, shown)


def _find_rest(name: str, deck: Sequence[str], *elsewhere: Iterable[str]) -> clan_position.Cards:
    """The cards of a deck that are nowhere else; BadPosition if one is unknown or there twice."""
    gone = [card for cards in elsewhere for card in cards]
    require_distinct(gone, name)
    if stray := set(gone) - set(deck):
        raise BadPosition(f"There is no {min(stray)!r} among the `{name}` of this game.")
    return tuple(card for card in deck if card not in gone)


def _check_room(state: State) -> None:
    """Refuse more Archers and clerks than fit: GW-1.8, GW-6.1, GW-10.5."""
    for section in board.SECTIONS:
        require(state.free_firing_spots(section) >= 0, f"{section}: there is no Firing spot left.")
        away = any(clan.firing_in(section) + sum(clan.resting(section)) for clan in state.clans)
        used = section in state.setup.table.sections
        require(used or not away, f"The Section {section} is not in use.")
    for location in board.LOCATIONS:
        require((state.free_slots(location) or 0) >= 0, f"{location}: there is no slot left.")
    if state.reed is not None:
        _check_reed(state.clans[state.reed])
    if state.qin is not None:
        _check_qin(state.clans[state.qin])


def _check_reed(reed: Clan) -> None:
    """Check that it owns only clerks, all on Locations, and Spearmen: GW-15.2, GW-15.4."""
    require(max(reed.clerks) <= 1, "The Reed Clan has at most one clerk in a Location.")
    require(not reed.clerks_pool, "All clerks of the Reed Clan are in Locations.")
    bare = Clan(0, 0, reed.pool, clerks=reed.clerks)
    require(reed == bare, "The Reed Clan has only clerks and Spearmen.")


def _check_qin(qin: Clan) -> None:
    """Check that he has no resources and nothing a player chooses: GW-14.2, GW-14.6, GW-14.9."""
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
    require(qin == bare, "Qin Jiushao has no resources, no Shame and no choices.")
    on_track = {board.LOCATION_NUMBER[place] for place in PLACE_OF.values()}
    away = [number for number, count in enumerate(qin.clerks) if count and number not in on_track]
    require(not away, "Clerks of Qin Jiushao are only in Locations of his track.")
    staff = tuple(OVERSEERS[place] for place in board.PRODUCTION)
    soldiers = tuple(one.soldier if one else None for one in qin.overseers)
    require(soldiers == staff, "Qin Jiushao has an Overseer in each production Location.")
