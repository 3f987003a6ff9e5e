"""Cards to read and touch: those to hire, those that count at the end, and the viewer's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.engine.drawing.layout import Panel, Role
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, mark, rect, text
from domain.engine.sentences import Words, sentence
from domain.engine.touches import Touch, TouchKind
from domain.games.great_wall import board, touch
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import pieces
from domain.games.great_wall.render.pieces import LINE, SMALL
from domain.games.great_wall.render.sentences import Table, amounts, in_force

COLUMNS = 4
GAP = 10
HEAD = 28
"""The height of a heading of cards."""
TOP = 24
"""The height of the name of a card."""
FOOT = 10


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


def panels(table: Table, across: float) -> Iterator[Panel]:
    """A panel for each group of cards, in rows below its heading."""
    for name, head, cards in _groups(table):
        parts = (
            text(0, 18, head, 14, fill=INK, font_weight=700),
            group(*_rows(cards, across), at=(0, HEAD)),
        )
        role: Role = "own" if name == "your_cards" else "table"
        yield Panel(name, role, head, across, _card_height(cards, across), parts)


def _groups(table: Table) -> Iterator[tuple[str, str, list[Card]]]:
    """Cards in groups, each with its name and its heading."""
    market = "on_the_market" if table.view.artifacts else "advisors_to_hire"
    groups = (
        ("your_cards", own(table)),
        ("cards_of_qin", of_qin(table)),
        ("requests", requests(table)),
        ("events", events(table)),
        (market, [*advisors(table), *artifacts(table)]),
    )
    for key, cards in groups:
        if cards:
            yield key, table.words(key), cards


def _card_height(cards: list[Card], across: float) -> float:
    return HEAD + sum(high + GAP for _, high in _split_rows(cards, across)) + GAP


def _split_rows(cards: list[Card], across: float) -> Iterator[tuple[list[Card], float]]:
    """The rows of cards, each with the height of its highest card."""
    for start in range(0, len(cards), COLUMNS):
        row = cards[start : start + COLUMNS]
        yield row, TOP + LINE * max(len(_wrap_text(card, across)) for card in row) + FOOT


def _width(across: float) -> float:
    return (across - GAP * (COLUMNS - 1)) / COLUMNS


def _wrap_text(card: Card, across: float) -> list[str]:
    return pieces.wrap_text(card.text, _width(across) - 20)


def _rows(cards: list[Card], across: float) -> Iterator[Markup]:
    width, y = _width(across), 0.0
    for row, high in _split_rows(cards, across):
        for column, card in enumerate(row):
            drawn = list(_draw_card(card, across, high))
            shape = drawn if card.touch is None else [mark(card.touch, *drawn)]
            yield group(*shape, at=(column * (width + GAP), y))
        y += high + GAP


def _draw_card(card: Card, across: float, high: float) -> Iterator[Markup]:
    """A card, drawn from its top left corner."""
    width = _width(across)
    yield rect(0, 0, width, high, rx=7, fill="#fffdf6", stroke="#a89d84", stroke_width=1.2)
    yield text(10, 18, card.name, 14, fill=INK, font_weight=700)
    yield text(width - 10, 18, card.note, SMALL, fill=FAINT, text_anchor="end")
    yield from pieces.lines(10, TOP + 12, _wrap_text(card, across), fill=INK)
