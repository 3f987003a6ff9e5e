"""Cards in words: those to hire, those that count at the end, and the viewer's own."""

from __future__ import annotations

from typing import NamedTuple

from domain.engine.sentences import Words, sentence
from domain.engine.touches import Touch, TouchKind
from domain.games.great_wall import board, touch
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render.sentences import Table, amounts, clan_name, in_force
from domain.games.great_wall.rules import reed


class Card(NamedTuple):
    """A card in words: its name, what it does, its kind if the heading does not name it, and the
    name by which it is touched.
    """

    name: str
    text: str
    note: str = ""
    touch: Touch | None = None


def line(words: Words, card: Card) -> str:
    """A card in one line."""
    named = words("card_noted", card=card.name, note=card.note) if card.note else card.name
    return words("card_line", card=named, text=card.text)


def advisors(table: Table) -> list[Card]:
    """The advisors on the track: GW-8.9."""
    names = table.view.advisors
    return [_card(table.words, touch.ADVISOR, one, "card_advisor") for one in names]


def artifacts(table: Table) -> list[Card]:
    """The artifacts, which bring honor at the end: GW-9.9."""
    words = table.words
    return [
        Card(words(f"artifact_{one}"), words(f"artifact_{one}_text"), words("card_artifact"))
        for one in table.view.artifacts
    ]


def requests(table: Table) -> list[Card]:
    """The open Requests of the Emperor: GW-16.11."""
    words = table.words
    return [
        Card(words(f"request_{one}"), words(f"request_{one}_text"), touch=touch.REQUEST.of(one))
        for one in table.view.requests
    ]


def events(table: Table) -> list[Card]:
    """The events with an effect until the end: GW-16.14."""
    words = table.words
    return [Card(words(f"event_{one}"), words(f"event_{one}_text")) for one in in_force(table.view)]


def of_qin(table: Table) -> list[Card]:
    """The command card that Qin Jiushao has played this Fall: GW-14.5."""
    view, words = table
    if view.qin is None:
        return []
    played = (laid for laid in (*view.track, *view.shown) if laid)
    names = (laid.card for laid in played if laid.clan == view.qin.clan)
    return [Card(words(f"command_{one}"), words(f"command_{one}_text")) for one in names]


def resolved(table: Table) -> Card | None:
    """The command card that is being resolved, with the clan whose turn it is: GW-7.3."""
    view, words = table
    laid = next((one for one in view.track if one and one.clan == view.active), None)
    if laid is None or laid.card == reed.CARD:
        return None
    name = words(f"command_{laid.card}")
    return Card(name, words(f"command_{laid.card}_text"), clan_name(table, laid.clan))


def leaders(table: Table) -> list[Card]:
    """The Generals and the Active Advisors of all clans: GW-9.1, GW-9.2."""
    view, words = table
    return [
        Card(words(f"{kind}_{name}"), words(f"{kind}_{name}_text"), clan_name(table, number))
        for number, clan in enumerate(view.clans)
        for kind, names in (("general", [clan.general]), ("advisor", clan.active))
        for name in names
        if name
    ]


def own(table: Table) -> list[Card]:
    """The cards that the viewer holds, has laid aside, or can choose from; none for a spectator."""
    view, words = table
    if view.seat is None:
        return []
    held = view.clans[view.seat]
    cards = (
        (touch.ADVISOR, held.dealt_advisors, "card_advisor"),
        (touch.COMMAND, held.commands, "card_command"),
        (touch.COMMAND, held.discard, "card_command_discarded"),
        (touch.TACTIC, held.tactics or (), "card_tactic"),
    )
    return [
        *(_general(words, one) for one in held.dealt_generals),
        *(_card(words, kind, one, note) for kind, names, note in cards for one in names),
    ]


def _general(words: Words, name: str) -> Card:
    """A General to choose, with what it starts with: GW-2.11, GW-2.12."""
    card = _card(words, touch.GENERAL, name, "card_general")
    brings = decks.GENERALS[name].setup
    stock = {one: number for one in board.RESOURCES if (number := getattr(brings, one))}
    begins = words(
        "general_begins",
        text=card.text,
        resources=amounts(words, stock),
        tactics=sentence("tactic_cards", count=brings.tactics),
        number=brings.tea,
    )
    return card._replace(text=begins)


def _card(words: Words, kind: TouchKind, name: str, note: str) -> Card:
    key = f"{kind.kind}_{name}"
    return Card(words(key), words(f"{key}_text"), words(note), kind.of(name))
