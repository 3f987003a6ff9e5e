"""The record of a position, and what it puts on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec

from domain.engine.constraints import MIDDLE, Choice, Holds, MidTurn, Size, Unique
from domain.engine.errors import require, require_distinct
from domain.engine.game import Json
from domain.engine.play import Step
from domain.engine.positions import reader
from domain.engine.positions.forms import Row
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import SOLO, Token
from domain.games.great_wall.state import hordes, names, steps
from domain.games.great_wall.state.clan_position import ClanPosition, Few, read_clan, write_clan
from domain.games.great_wall.state.hordes import Horde
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


def spot_name(spot: int) -> str:
    """A spot by its row and column, such as `0,2`: GW-10.7."""
    return f"{spot // hordes.COLUMNS},{spot % hordes.COLUMNS}"


SPOT_NUMBER = {spot_name(spot): spot for spot in range(hordes.SPOTS)}
ON_SPOT = ("spearman", *(f"horseman:{way}" for way in WAYS))
"""What a clan can have on a spot."""
SpotName = Annotated[str, Choice("spot", lambda _: SPOT_NUMBER)]
OnSpot = Annotated[
    str,
    Choice(
        "soldier or wound",
        lambda table: [
            WOUND,
            *(f"{c}:{one}" for c in range(len(table.state.clans)) for one in ON_SPOT),
        ],
    ),
]
PerClan = Size("clan", lambda table: len(table.state.clans))
PerSlot = Size("slot of the Command track", lambda table: len(table.state.track))
NO_CHI = Holds("There is no chi in the Warehouse.", lambda stock, _: not stock.get("chi"))
TRACK = Holds(
    "They are those of the Location track, each once.",
    lambda tokens, table: sorted(tokens) == sorted(table.state.tokens),
)
NONE_YET = Holds(MIDDLE, lambda clan, _: clan is None)
Level = Annotated[int, msgspec.Meta(ge=0, le=board.TOP_LEVEL)]
Barricades = Annotated[int, msgspec.Meta(ge=0, le=board.BARRICADES)]


class HordePosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Horde card on the board; `spots` has what lies on each spot, such as `{"0,2": "wound"}`.

    A soldier is listed at the first of its spots, by its clan: `1:spearman`; or `1:horseman:right`
    if its other spot is to the right, `1:horseman:down` if it is below.
    """

    card: names.HordeCard
    spots: dict[SpotName, OnSpot] = {}
    struck: Unique[names.ClanNumber] = ()


HordeRow = Annotated[tuple[HordePosition, ...], msgspec.Meta(max_length=board.ROWS)]


class Position(reader.Position, tag="great_wall", frozen=True):
    """A table at any moment. Cards that it does not list are in their decks."""

    clans: Annotated[tuple[ClanPosition, ...], PerClan]
    tea: Annotated[Unique[names.ClanNumber], PerClan] | None = None
    slot: names.SlotNumber | None = None
    season: Season | None = None
    shame: Few | None = None
    walls: Annotated[dict[names.UsedSection, Level], Row(board.SECTIONS)] = {}
    barricades: Annotated[dict[names.UsedSection, Barricades], Row(board.SECTIONS)] | None = None
    warehouse: Annotated[dict[board.Resource, Few], Row(board.RESOURCES), NO_CHI] = {}
    hordes: dict[names.UsedSection, HordeRow] = {}
    horde_discard: names.Hordes = ()
    indicator: board.Section | None = None
    advisors: names.Advisors = ()
    advisor_discard: names.Advisors = ()
    tactic_discard: names.Tactics = ()
    played: MidTurn[names.Tactics] = ()
    artifacts: Unique[names.Artifact] = ()
    requests: Unique[names.Request] = ()
    fulfilled: Unique[names.Request] = ()
    events: Unique[names.EventName] = ()
    breaches: MidTurn[Few] = 0
    defeats: MidTurn[Few] = 0
    track: MidTurn[Annotated[tuple[LaidCommand | None, ...], PerSlot] | None] = None
    active: Annotated[names.ClanNumber | None, NONE_YET] = None
    doubled: MidTurn[tuple[ClerkBonus, ...]] = ()
    tokens: Annotated[tuple[Token, ...], TRACK] = ()
    agenda: tuple[AnyStep, ...] | None = None
    ended: EndReason | None = None
    winners: tuple[names.ClanNumber, ...] = ()

    def put(self, state: State) -> None:
        """Lay the Horde cards, give the clans what they own, and put all other cards into decks."""
        state.hordes = tuple(
            tuple(_read_horde(state, given) for given in self.hordes.get(section, ()))
            for section in board.SECTIONS
        )
        if self.agenda is None and self.ended is None:
            seats = tuple(range(state.seats))
            state.agenda = [steps.RevealCommands(), steps.ChooseCommand(seats)]
        if self.season is None and state.agenda and not isinstance(state.agenda[0], steps.Fall):
            state.season = SEASONS.get(type(state.agenda[0]))  # the setup ends with the first Fall
        for number, given in enumerate(self.clans):
            _read_clan(state, number, given)
        there = state.setup.table.shame_pool - sum(clan.shame for clan in state.clans)
        state.shame = there if self.shame is None else self.shame
        require(0 <= state.shame <= there, "The game does not have that many Shame tokens.")
        _fill_decks(state)
        _check_room(state)

    @staticmethod
    def show(state: State) -> Json:
        """The clans, and the Horde cards on the board."""
        rows = zip(board.SECTIONS, state.hordes, strict=True)
        return {
            "clans": tuple(map(write_clan, state.clans)),
            "hordes": {section: tuple(map(_write_horde, row)) for section, row in rows if row},
        }


def _write_horde(horde: Horde) -> HordePosition:
    spots = {
        spot_name(spot): WOUND for spot, what in enumerate(horde.spots) if what == hordes.WOUND
    }
    for standing in horde.soldiers():
        _, *other = horde.spots_of(standing.spot)
        ways = [way for way, distance in WAYS.items() if standing.spot + distance in other]
        spots[spot_name(standing.spot)] = ":".join((str(standing.clan), standing.soldier, *ways))
    return HordePosition(horde.card, dict(sorted(spots.items())), horde.struck)


def _read_horde(state: State, given: HordePosition) -> Horde:
    """A Horde card with all that lies on it: GW-9.8, GW-10.1."""
    horde = hordes.new_horde(given.card)
    for name, what in given.spots.items():
        clan, _, way = (*what.split(":"), "", "")[:3]
        spot = SPOT_NUMBER[name]
        spots = (spot, spot + WAYS[way]) if way else (spot,)
        free = {*spots} <= {*horde.free()} and {*spots[1:]} <= {*hordes.NEIGHBOURS[spot]}
        require(free, f"{name} of {horde.card} is not a free Vital spot for this.")
        wound = what == WOUND
        horde = horde.with_wounds(spots) if wound else horde.with_soldier(int(clan), spots)
    return msgspec.structs.replace(horde, struck=given.struck)


def _read_clan(state: State, number: int, given: ClanPosition) -> None:
    """Give a clan what it owns: GW-1.2."""
    placed = (place.horde.soldiers(number) for place in state.hordes_on_board())
    there = Counter(one.soldier for soldiers in placed for one in soldiers)
    laid = [one.card for one in state.track if one and one.clan == number]
    commands = tuple(decks.COMMANDS) if number < state.seats else ()
    on_hordes = tuple(there[soldier] for soldier in board.SOLDIERS)
    read_clan(given, state.clans[number], on_hordes, laid, commands)


def _fill_decks(state: State) -> None:
    """Put the cards that are nowhere else into the decks, each once: GW-1.4, GW-2.3, GW-14.2."""
    clans, setup = state.clans, state.setup
    _find_rest("artifacts", setup.artifacts, state.artifacts)
    state.request_deck = _find_rest("requests", setup.requests, state.requests, state.fulfilled)
    state.event_deck = _find_rest("events", setup.events, state.events)
    lying = (place.horde.card for place in state.hordes_on_board())
    claimed = (claim.card for clan in clans for claim in clan.claimed)
    state.horde_deck = _find_rest("hordes", setup.hordes, state.horde_discard, lying, claimed)
    backs = {decks.HORDES[card].invasion for card in state.horde_deck}
    right = state.indicator is None or state.indicator in backs
    require(right, "No card in the deck has this `indicator`.")
    hired = [one for clan in clans for one in (clan.active, clan.supporting, clan.dealt_advisors)]
    gone = (state.advisors, state.advisor_discard, *hired)
    state.advisor_deck = _find_rest("advisors", setup.advisors, *gone)
    held = (clan.tactics for clan in clans)
    gone = (state.tactic_discard, state.played, *held)
    state.tactic_deck = _find_rest("tactics", setup.tactics, *gone)
    dealt = [card for clan in clans for card in clan.dealt_generals]
    kept = [clan.general for clan in clans if clan.general]
    generals = _find_rest("generals", setup.generals, dealt, kept)
    state.general_deck = generals if dealt or not kept else ()
    if state.qin is not None:
        clan, laid = clans[state.qin], (one for one in state.track if one and one.clan == state.qin)
        shown = [clan.shown] if clan.shown else []
        cards = (one.card for one in laid)
        state.solo_deck = _find_rest("discard", tuple(SOLO), clan.discard, cards, shown)


def _find_rest(name: str, deck: Sequence[str], *elsewhere: Iterable[str]) -> tuple[str, ...]:
    """The cards of a deck that are nowhere else; BadPosition if one is unknown, or twice."""
    gone = [card for cards in elsewhere for card in cards]
    require_distinct(gone, name)
    strange = min({*gone} - {*deck}, default="")
    require(not strange, f"There is no {strange!r} among the `{name}` of this game.")
    return tuple(card for card in deck if card not in gone)


def _check_room(state: State) -> None:
    """Refuse more Archers and clerks than fit: GW-1.8, GW-6.1, GW-10.5."""
    for section in board.SECTIONS:
        require(state.free_firing_spots(section) >= 0, f"{section}: there is no Firing spot left.")
    for location in board.LOCATIONS:
        require((state.free_slots(location) or 0) >= 0, f"{location}: there is no slot left.")
