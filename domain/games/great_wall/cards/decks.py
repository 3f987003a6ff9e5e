"""The decks, read from the data files. A file that breaks the language is refused: GW-2.3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from domain.games.great_wall import board
from domain.games.great_wall.cards import sense
from domain.games.great_wall.cards.hordes import HordeCard, HordeEntry, HordeType, make_horde_card
from domain.games.great_wall.cards.kinds import (
    Advisor,
    Artifact,
    Command,
    Event,
    General,
    Request,
    Tactic,
)


class HasId(Protocol):
    """A card, or a type of cards."""

    @property
    def id(self) -> str:
        """The unique name."""
        ...


C = TypeVar("C", General, Advisor, Tactic, Command, Artifact, HordeType, HordeEntry, Request, Event)
N = TypeVar("N", bound=HasId)


class BadCards(ValueError):
    """A file of cards that breaks the language. The message names the card and the reason."""

    def __init__(self, file: str, card: str, reason: str) -> None:
        super().__init__(f"{file}: {card}: {reason}")
        self.file, self.card, self.reason = file, card, reason


class File(msgspec.Struct, frozen=True):
    """The content of a file of cards, not validated yet."""

    cards: list[dict[str, Any]]
    types: list[dict[str, Any]] = []
    counts: dict[str, int] = {}  # by set: the number of cards
    count: int | None = None  # the number of cards in total


def read_cards(file: str, text: str, kind: type[C]) -> dict[str, C]:
    """By id, the cards in the text of a file. Raises BadCards if one is invalid."""
    opened = _read_file(file, text)
    cards = _by_id(file, _read_all(file, opened.cards, kind))
    _check_counts(file, opened, [getattr(card, "set", "") for card in cards.values()])
    return cards


def read_hordes(file: str, text: str) -> dict[str, HordeCard]:
    """By id, the Horde cards in the text of a file: GW-9.8. Raises BadCards if one is invalid."""
    opened = _read_file(file, text)
    types = _by_id(file, _read_all(file, opened.types, HordeType))
    printed = _read_all(file, opened.cards, HordeEntry)
    cards = _by_id(file, [_make_horde(file, card, types) for card in printed])
    _check_counts(file, opened, [card.set for card in cards.values()])
    return cards


def _make_horde(file: str, printed: HordeEntry, types: Mapping[str, HordeType]) -> HordeCard:
    """A Horde card of its type. Raises BadCards if the type does not exist."""
    if printed.type not in types:
        raise BadCards(file, printed.id, f"there is no type `{printed.type}`")
    return make_horde_card(printed, types[printed.type])


def _read_file(file: str, text: str) -> File:
    """The content of a file. Raises BadCards if it is not a list of cards."""
    try:
        return msgspec.json.decode(text, type=File)
    except msgspec.MsgspecError as error:
        raise BadCards(file, "the file", str(error)) from error


def _read_all(file: str, cards: list[dict[str, Any]], kind: type[C]) -> list[C]:
    """Cards from their JSON. Raises BadCards, which names the invalid card and the place in it."""
    return [_read_card(file, raw, kind, number) for number, raw in enumerate(cards, start=1)]


def _read_card(file: str, raw: dict[str, Any], kind: type[C], number: int) -> C:
    """A card from its JSON. Raises BadCards if it breaks the language or has no meaning."""
    try:
        card = msgspec.convert(_split_abilities(raw), kind)
        sense.check_card(card)
    except (msgspec.ValidationError, sense.Senseless) as error:
        name = raw.get("id") or raw.get("type") or f"number {number}"
        raise BadCards(file, str(name), str(error)) from error
    return card


def _split_abilities(raw: dict[str, Any]) -> dict[str, Any]:
    """The same JSON with triggered abilities and modifiers in separate lists."""
    abilities = raw.get("ability")
    if not isinstance(abilities, list):
        return raw
    triggered = [one for one in abilities if isinstance(one, dict) and "trigger" in one]
    modifiers = [one for one in abilities if one not in triggered]
    rest = {name: value for name, value in raw.items() if name != "ability"}
    return {**rest, "triggered": triggered, "modifiers": modifiers}


def _by_id(file: str, cards: Iterable[N]) -> dict[str, N]:
    """The cards by id. Raises BadCards if two have the same id."""
    found: dict[str, N] = {}
    for card in cards:
        if card.id in found:
            raise BadCards(file, card.id, "there is another card with this id")
        found[card.id] = card
    return found


def _check_counts(file: str, opened: File, sets: list[str]) -> None:
    """Refuse a deck whose size differs from the one its file states: GW-1.2, GW-2.3."""
    for name, count in opened.counts.items():
        if sets.count(name) != count:
            raise BadCards(file, "the file", f"{sets.count(name)} cards of `{name}`, not {count}")
    if opened.count not in (None, len(sets)):
        raise BadCards(file, "the file", f"{len(sets)} cards, not {opened.count}")


def check_names(commands: Mapping[str, Command], *decks: Mapping[str, Any]) -> None:
    """Raise BadCards for a counted name that no command card has: GW-18.7."""
    for deck in (commands, *decks):
        for card in deck.values():
            if strange := sense.find_counted_names(card) - commands.keys():
                raise BadCards("the decks", card.id, f"there is no command card {strange}")


COMMANDS = read_cards("command_cards.json", board.read_text("command_cards.json"), Command)
"""The command cards, of which each player has one set: GW-1.2."""
GENERALS = read_cards("generals.json", board.read_text("generals.json"), General)
ADVISORS = read_cards("advisors.json", board.read_text("advisors.json"), Advisor)
TACTICS = read_cards("tactics.json", board.read_text("tactics.json"), Tactic)
ARTIFACTS = read_cards("artifacts.json", board.read_text("artifacts.json"), Artifact)
HORDES = {
    **read_hordes("hordes.json", board.read_text("hordes.json")),
    **read_hordes("hordes_coop.json", board.read_text("hordes_coop.json")),
}
REQUESTS = read_cards("requests.json", board.read_text("requests.json"), Request)
EVENTS = read_cards("events.json", board.read_text("events.json"), Event)
check_names(COMMANDS, GENERALS, ADVISORS, TACTICS, ARTIFACTS)
