"""The decks, read from the data files; a file that breaks the language is refused: GW-2.3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from domain.games.great_wall import board
from domain.games.great_wall.cards import sense
from domain.games.great_wall.cards.hordes import HordeCard, HordeType, Printed, horde_card
from domain.games.great_wall.cards.kinds import (
    Advisor,
    Artifact,
    Command,
    Event,
    General,
    Request,
    Tactic,
)


class Named(Protocol):
    """A card, or a type of cards."""

    @property
    def id(self) -> str:
        """What it is called by."""
        ...


C = TypeVar("C", General, Advisor, Tactic, Command, Artifact, HordeType, Printed, Request, Event)
N = TypeVar("N", bound=Named)


class BadCards(ValueError):
    """A file of cards that breaks the language: in which card, and why."""

    def __init__(self, file: str, card: str, reason: str) -> None:
        super().__init__(f"{file}: {card}: {reason}")
        self.file, self.card, self.reason = file, card, reason


class File(msgspec.Struct, frozen=True):
    """A file of cards, none of them judged yet."""

    cards: list[dict[str, Any]]
    types: list[dict[str, Any]] = []
    counts: dict[str, int] = {}  # by set: how many cards there are
    count: int | None = None  # how many there are in all


def read_cards(file: str, text: str, kind: type[C]) -> dict[str, C]:
    """The cards of a kind in the text of a file, by their ids; BadCards if one is wrong."""
    opened = _open(file, text)
    cards = _by_id(file, _read_all(file, opened.cards, kind))
    _check_counts(file, opened, [getattr(card, "set", "") for card in cards.values()])
    return cards


def read_hordes(file: str, text: str) -> dict[str, HordeCard]:
    """The Horde cards in the text of a file, by their ids; BadCards if one is wrong: GW-9.8."""
    opened = _open(file, text)
    types = _by_id(file, _read_all(file, opened.types, HordeType))
    printed = _read_all(file, opened.cards, Printed)
    cards = _by_id(file, [_horde(file, card, types) for card in printed])
    _check_counts(file, opened, [card.set for card in cards.values()])
    return cards


def _horde(file: str, printed: Printed, types: Mapping[str, HordeType]) -> HordeCard:
    """A Horde card, made of its type; BadCards if there is no such type."""
    if printed.type not in types:
        raise BadCards(file, printed.id, f"there is no type `{printed.type}`")
    return horde_card(printed, types[printed.type])


def _open(file: str, text: str) -> File:
    """What a file lists; BadCards if it is no list of cards."""
    try:
        return msgspec.json.decode(text, type=File)
    except msgspec.MsgspecError as error:
        raise BadCards(file, "the file", str(error)) from error


def _read_all(file: str, cards: list[dict[str, Any]], kind: type[C]) -> list[C]:
    """Cards from their JSON; BadCards says which one breaks the language, and where."""
    return [_read_card(file, raw, kind, number) for number, raw in enumerate(cards, start=1)]


def _read_card(file: str, raw: dict[str, Any], kind: type[C], number: int) -> C:
    """A card from its JSON; BadCards says where it breaks the language, or makes no sense."""
    try:
        card = msgspec.convert(_parted(raw), kind)
        sense.check_card(card)
    except (msgspec.ValidationError, sense.Senseless) as error:
        name = raw.get("id") or raw.get("type") or f"number {number}"
        raise BadCards(file, str(name), str(error)) from error
    return card


def _parted(raw: dict[str, Any]) -> dict[str, Any]:
    """The same, with what a card does when something happens apart from what always holds."""
    abilities = raw.get("ability")
    if not isinstance(abilities, list):
        return raw
    triggered = [one for one in abilities if isinstance(one, dict) and "trigger" in one]
    modifiers = [one for one in abilities if one not in triggered]
    rest = {name: value for name, value in raw.items() if name != "ability"}
    return {**rest, "triggered": triggered, "modifiers": modifiers}


def _by_id(file: str, cards: Iterable[N]) -> dict[str, N]:
    """These cards by their ids; BadCards if two have the same."""
    found: dict[str, N] = {}
    for card in cards:
        if card.id in found:
            raise BadCards(file, card.id, "there is another card with this id")
        found[card.id] = card
    return found


def _check_counts(file: str, opened: File, sets: list[str]) -> None:
    """Refuse a deck that is not as large as its file says: GW-1.2, GW-2.3."""
    for name, count in opened.counts.items():
        if sets.count(name) != count:
            raise BadCards(file, "the file", f"{sets.count(name)} cards of `{name}`, not {count}")
    if opened.count not in (None, len(sets)):
        raise BadCards(file, "the file", f"{len(sets)} cards, not {opened.count}")


def check_names(commands: Mapping[str, Command], *decks: Mapping[str, Any]) -> None:
    """Refuse with BadCards a counted name that no command card has: GW-18.7."""
    for deck in (commands, *decks):
        for card in deck.values():
            if strange := sense.counted_names(card) - commands.keys():
                raise BadCards("the decks", card.id, f"no command card is called {strange}")


COMMANDS = read_cards("command_cards.json", board.text("command_cards.json"), Command)
"""The cards that each player has once: GW-1.2."""
GENERALS = read_cards("generals.json", board.text("generals.json"), General)
ADVISORS = read_cards("advisors.json", board.text("advisors.json"), Advisor)
TACTICS = read_cards("tactics.json", board.text("tactics.json"), Tactic)
ARTIFACTS = read_cards("artifacts.json", board.text("artifacts.json"), Artifact)
HORDES = {
    **read_hordes("hordes.json", board.text("hordes.json")),
    **read_hordes("hordes_coop.json", board.text("hordes_coop.json")),
}
REQUESTS = read_cards("requests.json", board.text("requests.json"), Request)
EVENTS = read_cards("events.json", board.text("events.json"), Event)
check_names(COMMANDS, GENERALS, ADVISORS, TACTICS, ARTIFACTS)
