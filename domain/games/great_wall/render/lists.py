"""Cards in panels: to read, with what they do, and those of the viewer as tiles to touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from domain.engine.drawing.layout import Panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.relief import raised_rect
from domain.engine.drawing.svg import Attribute, Markup, explain, group, mark, text
from domain.engine.touches import kind_of
from domain.games.great_wall.render import cards, facts, letters, pieces, signs
from domain.games.great_wall.render.cards import Card
from domain.games.great_wall.render.letters import LINE
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.render.signs import Sign

HEAD = 26
"""The height of a heading."""
TOP = 22
"""The height of the name of a card."""
FOOT = 7
GAP = 5
MAX_CACHED_CARDS = 1024
"""More than there are in the languages that are drawn at a time."""
TILES, SPACE = (27, 40), 4
"""The least and the greatest height of a tile, and the space around it."""
ROOM = 130
"""The height of a hand, unless it has many cards."""
MAX_CACHED_TILES = 1024
"""More cards than some tables show at a time."""
FILLS = {"command": "#f0e6d2", "tactic": "#e3e8fb", "advisor": "#e6f1df", "general": "#f7e3dd"}
OPEN = "#f3e8c9"
"""The background of the name of a card, by its kind, and of one that lies open to all."""


def command(table: Table, across: float) -> Iterator[Panel]:
    """The command card that is being resolved, in full: GW-7.3."""
    if (card := cards.resolved(table)) is not None:
        yield _panel("command", table.words("command_now"), [card], across)


def panels(table: Table, across: float) -> Iterator[Panel]:
    """What is open to all: Requests, events, the market, the card of Qin Jiushao."""
    words = table.words
    groups = (
        ("requests", "requests", cards.requests(table)),
        ("cards_of_qin", "cards_of_qin", _waiting_cards_of_qin(table)),
        ("events", "events", cards.events(table)),
    )
    for name, head, shown in groups:
        if shown:
            yield _panel(name, words(head), shown, across)
    hired = cards.advisors(table)
    if hired:
        yield _panel("market", words("advisors_to_hire"), hired, across, _advisor_price(table))
    if artifacts := cards.artifacts(table):
        yield _panel("artifacts", words("artifacts"), artifacts, across, folds=True)


def _waiting_cards_of_qin(table: Table) -> list[Card]:
    """His card, unless it is being resolved and so has a panel."""
    qin = table.view.qin
    return [] if qin is None or qin.clan == table.view.active else cards.of_qin(table)


def _advisor_price(table: Table) -> Sign | None:
    """What the viewer pays for the next advisor: GW-8.9."""
    costs = facts.own_costs(table.view)
    if costs is None:
        return None
    said = signs.name_cost(table.words, "cost_advisor", costs.advisor)
    return signs.price(said, costs.advisor)


def own(table: Table, more: Iterable[str], across: float) -> Iterator[Panel]:
    """The viewer's cards in full, below what had no room in their supply."""
    held, words = cards.own(table), table.words
    lines = [line for one in more for line in letters.wrap_text(one, across)]
    if held or lines:
        listed = _panel("cards", words("your_cards"), held, across)
        said = letters.draw_lines(0, LINE, lines)
        below = LINE * len(lines) + GAP * bool(lines)
        parts = (group(*said, at=(0, HEAD - 4)), group(*listed.parts[1:], at=(0, below)))
        yield Panel(
            "cards", "table", listed.label, across, listed.height + below, (listed.parts[0], *parts)
        )


def leaders(table: Table, across: float) -> Iterator[Panel]:
    """The Generals and the Active Advisors of all clans."""
    if shown := cards.leaders(table):
        yield _panel("leaders", table.words("leaders"), shown, across, folds=True)


def _panel(
    name: str,
    head: str,
    shown: list[Card],
    across: float,
    price: Sign | None = None,
    *,
    folds: bool = False,
) -> Panel:
    """Cards below each other, and a price at their heading."""
    parts, y = [text(0, 17, head, 15, fill=INK, font_weight=700)], float(HEAD)
    if price is not None:
        parts.append(group(price.drawn, at=(across - price.width, 12)))
    for card in shown:
        high, drawn = _draw_card(card, across)
        parts.append(group(drawn, at=(0, y)))
        y += high + GAP
    return Panel(name, "table", head, across, y, tuple(parts), folds)


@lru_cache(MAX_CACHED_CARDS)
def _draw_card(card: Card, across: float) -> tuple[float, Markup]:
    """The height of a card, and its drawing from its top left corner."""
    lines = letters.wrap_text(card.text, across - 16)
    high = TOP + LINE * len(lines) + FOOT
    fill = FILLS.get(kind_of(card.touch), OPEN) if card.touch else OPEN
    drawn = group(
        raised_rect(1, 1, across - 2, high - 2, rx=6, fill="#fffcf2", stroke="#7d7054"),
        pieces.banner(across, TOP, fill),
        text(8, 17, card.name, 14, fill=INK, font_weight=700),
        letters.small(across - 8, 17, card.note, fill=FAINT, text_anchor="end"),
        *letters.draw_lines(8, TOP + 13, lines),
    )
    return high, drawn if card.touch is None else mark(card.touch, drawn)


def hand(table: Table, across: float) -> Iterator[Panel]:
    """The hand of the viewer; none without cards."""
    count = len(signs.rows(_tiles(table, 0), across, SPACE))
    if count:
        tile = min(max((ROOM + SPACE) // count - SPACE, TILES[0]), TILES[1])
        high = count * (tile + SPACE) - SPACE
        parts = (
            group(*signs.place(row, 0, 0, SPACE), at=(0, number * (tile + SPACE)))
            for number, row in enumerate(signs.rows(_tiles(table, tile), across, SPACE))
        )
        yield Panel("hand", "own", table.words("your_hand"), across, high, tuple(parts))


def _tiles(table: Table, high: float) -> Iterator[Sign]:
    gone = table.words("card_command_discarded")
    for card in cards.own(table):
        yield _tile(card, cards.line(table.words, card), high, discarded=card.note == gone)


@lru_cache(MAX_CACHED_TILES)
def _tile(card: Card, said: str, high: float, *, discarded: bool) -> Sign:
    """A card as a tile; that of a discarded card has a dashed edge."""
    assert card.touch is not None, "each card of a viewer can be touched"
    width = 14 + letters.length(card.name)
    look: dict[str, Attribute] = {"fill": FILLS[kind_of(card.touch)], "stroke": INK}
    if discarded:
        look |= {"stroke": FAINT, "stroke_dasharray": "4 3"}
    box = raised_rect(0.6, 0.6, width - 1.2, high - 2.2, rx=5, depth=1.4, **look)
    name = letters.small(width / 2, high / 2 + 5, card.name, text_anchor="middle")
    return Sign(width, mark(card.touch, explain(said, box, name)))
