"""The lower part of the picture: who has what, and what lies beside the boards."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT, INK, card, note
from domain.engine.svg import Markup, group, text
from domain.games.chang_cheng.board import CARD_NAMES
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.render.words import events
from domain.games.chang_cheng.view import View

CARD_HIGH = 128
HEIGHT = CARD_HIGH + 132
GAP = 12


def parts(view: View, across: float) -> Iterator[Markup]:
    """A card for each seat, the piles, and what the signs mean."""
    seats = len(view.scores)
    width = (across - GAP * (seats - 1)) / seats
    for seat in range(seats):
        yield group(*_seat(view, seat, width), at=(seat * (width + GAP), 0))
    yield group(*_beside(view), at=(0, CARD_HIGH + 34))
    yield group(*_legend(view), at=(0, CARD_HIGH + 74))
    yield group(*_names(), at=(0, CARD_HIGH + 116))


def _seat(view: View, seat: int, width: float) -> Iterator[Markup]:
    """Colour, points, pieces, hand."""
    colour, supply = pieces.PLAYERS[view.colours[seat]], view.supply[seat]
    yield card(view, seat, width, CARD_HIGH)
    yield group(pieces.wall(colour, str(seat), 34), at=(10, -4))
    title = f"Seat {seat}, {view.colours[seat]}"
    yield text(54, 26, title, 16, fill=INK, font_weight=700)
    yield text(54, 46, note(view, seat), 13, fill=INK)
    score = str(view.scores[seat])
    yield text(width - 14, 36, score, 28, fill=INK, font_weight=700, text_anchor="end")
    yield group(group(pieces.wall(colour, "", 22), at=(10, 46), scale=0.6))
    yield text(28, 74, f"{supply.singles} singles", 14, fill=INK)
    x = 104
    if supply.doubles:
        yield group(pieces.wall(colour, "", 48), at=(x, 46), scale=0.6)
    if supply.towers:
        yield group(pieces.tower(colour, "", 26), at=(x + 42, 48), scale=0.6)
    yield group(*_hand(view, seat, colour), at=(10, 88))


def _hand(view: View, seat: int, colour: str) -> Iterator[Markup]:
    """Cards face up for who may know them, else their backs."""
    hand = view.hands[seat]
    numbers: list[int | None] = [None] * view.hand_sizes[seat] if hand is None else [*hand]
    for place, number in enumerate(numbers):
        yield group(pieces.card(colour, str(seat), number), at=(place * 26, 0))
    if not numbers:
        yield text(0, 20, "no cards", 13, fill=FAINT)


def _beside(view: View) -> Iterator[Markup]:
    """Emperor cards, boards in reserve, piles, event cards."""
    for place in range(view.emperors):
        yield group(pieces.emperor(), at=(11 + 26 * place, -5))
    prestige = " ".join(f"{number}:{count}" for number, count in enumerate(view.prestige_left))
    threats = " ".join(f"-{number}:{count}" for number, count in view.unseen.items())
    words = [
        f"extensions left {view.extensions}",
        f"reserve {', '.join(view.reserve) or 'empty'}",
        f"prestige pile {prestige}",
        f"threats not seen {threats}",
        f"events {events(view)}",
    ]
    if view.neutral is not None:
        words.append(f"neutral singles {view.neutral}")
    yield text(90, 0, "   ·   ".join(words), 14, fill=INK)


def _legend(view: View) -> Iterator[Markup]:
    """What the signs mean."""
    colour = pieces.PLAYERS[view.colours[0]]
    entries = [
        ("single", group(pieces.wall(colour, "0", 26), at=(0, -2), scale=0.6)),
        ("double", group(pieces.wall(colour, "0", 48), at=(0, -2), scale=0.6)),
        ("tower", group(pieces.tower(colour, "0", 26), scale=0.6)),
        ("ruin", group(pieces.ruin(colour, "0", 26), at=(0, -4), scale=0.6)),
        ("kept for one seat", group(pieces.kept(colour, "0", 28), at=(0, -2), scale=0.6)),
        ("neutral", group(pieces.wall(pieces.NEUTRAL_COLOUR, "n", 26), at=(0, -2), scale=0.6)),
        ("threat", group(pieces.threat_tile("?", known=False), at=(15, 17), scale=0.65)),
        ("prestige", group(pieces.prestige_tile(2), at=(14, 17), scale=0.75)),
        ("card", group(pieces.card(colour, "0", None), at=(4, 2))),
        ("emperor", group(pieces.emperor(), at=(14, 17))),
        ("last turn", pieces.last_mark(14, 24)),
    ]
    x = 0
    for words, sign in entries:
        yield group(sign, at=(x, -14))
        yield text(x + 36, 8, words, 13, fill=FAINT)
        x += 52 + 7 * len(words) + 6


def _names() -> Iterator[Markup]:
    """The cards by number."""
    words = "   ".join(f"{number} {name}" for number, name in CARD_NAMES.items())
    yield text(0, 0, f"Cards: {words}", 13, fill=FAINT)
