"""Clans without a seat: the Reed Clan, and Qin Jiushao with his card: GW-14.2, GW-15.2."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.games.great_wall import board
from domain.games.great_wall.board import Location, Soldier
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.amounts import Natural, Phrase, Positive
from domain.games.great_wall.cards.kinds import Card, Provenance
from domain.games.great_wall.cards.ops import MoveClerks
from domain.games.great_wall.cards.solo_ops import QinGain, ReedMove, SoloOps

FILE = "ai.json"
Token = Literal["wood", "stone", "gold", "chi", "wound"]
"""A token on the Location track of Qin Jiushao: GW-14.3."""


class SoloCommand(Card, frozen=True, kw_only=True):
    """A command card of Qin Jiushao: GW-14.5."""

    first: SoloOps
    others: SoloOps
    last: SoloOps


class Staff(Phrase, frozen=True):
    """The Overseers that Qin begins with, one in each production Location: GW-14.2."""

    level: Positive
    soldiers: dict[Soldier, Positive]


class FinalAbility(Phrase, frozen=True):
    """What the card of Qin is worth at the end: GW-14.14."""

    trigger: Literal["final_scoring"]
    do: tuple[QinGain, ...]


class QinCard(Phrase, frozen=True):
    """The General card of Qin Jiushao: GW-14.2, GW-14.3."""

    id: str
    name: str
    provenance: Provenance
    location_track: tuple[Token, ...]
    token_location: dict[Token, Location]
    start_supporting: Natural
    start_overseers: Staff
    clerks: Positive
    honor_per_wound: Natural
    honor_per_artifact: Natural
    ability: FinalAbility
    text: str


class ReedCommand(Phrase, frozen=True):
    """The command card of the Reed Clan: GW-15.5."""

    id: str
    name: str
    overlord: tuple[ReedMove]
    others: tuple[MoveClerks]
    text: str


class ReedClan(Phrase, frozen=True):
    """The Reed Clan: GW-15.2."""

    clerks: Positive
    start_locations: tuple[Location, ...]
    command_card: ReedCommand


class Automata(msgspec.Struct, frozen=True):
    """The content of the data file."""

    reed: ReedClan
    qin: QinCard
    solo_command_cards: tuple[SoloCommand, ...]


def read_automata(file: str, text: str) -> Automata:
    """The Reed Clan and Qin Jiushao from the text of a file. Raises BadCards if it breaks the
    language.

    Each solo command card has the name of a command card, and each token names a Location: GW-14.3,
    GW-14.5.
    """
    try:
        found = msgspec.json.decode(text, type=Automata)
    except msgspec.MsgspecError as error:
        raise decks.BadCards(file, "the file", str(error)) from error
    _check_names(file, found)
    _check_track(file, found.qin)
    if len(found.reed.start_locations) != found.reed.clerks:
        raise decks.BadCards(file, "reed", "each clerk begins in a Location of its own")
    return found


def _check_names(file: str, found: Automata) -> None:
    """Check that each command card has exactly one solo card of its name: GW-9.6, GW-14.5."""
    names = sorted(card.name for card in decks.COMMANDS.values())
    if sorted(card.name for card in found.solo_command_cards) != names:
        raise decks.BadCards(file, "solo_command_cards", f"their names must be {', '.join(names)}")


def _check_track(file: str, qin: QinCard) -> None:
    """Check that each token has a Location to itself, and each production Location an Overseer."""
    places = [qin.token_location.get(token) for token in qin.location_track]
    if None in places or len(set(places)) != len(places):
        raise decks.BadCards(file, qin.id, "each token of the track has a Location of its own")
    if not set(board.PRODUCTION) <= set(places):
        raise decks.BadCards(file, qin.id, "each production Location is on the track")
    if sum(qin.start_overseers.soldiers.values()) != len(board.PRODUCTION):
        raise decks.BadCards(file, qin.id, "an Overseer stands in each production Location")


def _namesakes(found: Automata) -> dict[str, str]:
    named = {card.name: card.id for card in decks.COMMANDS.values()}
    return {card.id: named[card.name] for card in found.solo_command_cards}


_READ = read_automata(FILE, board.read_text(FILE))
QIN, REED = _READ.qin, _READ.reed
SOLO = {card.id: card for card in _READ.solo_command_cards}
"""The command cards of Qin Jiushao: GW-14.2."""
NAMESAKES = _namesakes(_READ)
"""By solo command card, the player's command card of the same name: GW-9.6, GW-14.5."""
SOLO_BY_COMMAND = {command: solo for solo, command in NAMESAKES.items()}
"""By command card of a player, the solo card of the same name: GW-18.9."""
PLACE_OF = QIN.token_location
TOKENS = QIN.location_track
OVERSEERS: dict[Location, Soldier] = dict(
    zip(
        board.PRODUCTION,
        (name for name, count in QIN.start_overseers.soldiers.items() for _ in range(count)),
        strict=True,
    )
)
"""The soldiers that are Overseers of Qin at the start: GW-14.2."""


def namesake_of(card: str) -> str:
    """The id of the player's command card with the name of this card: GW-7.4, GW-14.5."""
    return NAMESAKES.get(card, card)
