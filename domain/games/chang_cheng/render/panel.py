"""The right side of the picture: whose turn it is, who has what, what lies beside the boards."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import FAINT, INK, card, count, note, own
from domain.engine.svg import Markup, group, text
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.render.words import events, last_turn, scoring_now, status
from domain.games.chang_cheng.touch import CARD
from domain.games.chang_cheng.view import View

WIDTH = 400
TOP = 150
CARD_HIGH = 122
BESIDE = 240


def height(view: View) -> int:
    """How much room it needs."""
    return TOP + len(view.scores) * CARD_HIGH + BESIDE


def parts(view: View) -> Iterator[Markup]:
    """From the title down to the piles."""
    yield text(0, 26, "Chang Cheng", 32, fill=INK, font_weight=700)
    for number, words in enumerate(wrap(status(view), 40)[:2]):
        yield text(0, 60 + 23 * number, words, 19, fill=INK, font_weight=700)
    for number, words in enumerate(wrap(scoring_now(view) or last_turn(view), 48)[:2]):
        yield text(0, 108 + 20 * number, words, 16, fill=FAINT)
    for seat in range(len(view.scores)):
        yield group(*_seat(view, seat), at=(0, TOP + seat * CARD_HIGH))
    yield group(*_beside(view), at=(0, TOP + len(view.scores) * CARD_HIGH + 24))


def _seat(view: View, seat: int) -> Iterator[Markup]:
    """Colour, points, pieces, hand."""
    colour, supply = pieces.PLAYERS[view.colours[seat]], view.supply[seat]
    yield card(view, seat, WIDTH, CARD_HIGH - 10)
    yield group(pieces.wall(colour, str(seat), 38), at=(12, -4))
    yield text(62, 27, f"Seat {seat}, {view.colours[seat]}", 19, fill=INK, font_weight=700)
    yield text(62, 48, note(view, seat), 16, fill=INK)
    score = str(view.scores[seat])
    yield text(WIDTH - 14, 38, score, 30, fill=INK, font_weight=700, text_anchor="end")
    left = f"{count(supply.singles, 'single')}"
    left += ", a double" * supply.doubles + ", a tower" * supply.towers
    yield text(WIDTH - 14, 96, left, 16, fill=INK, text_anchor="end")
    yield group(*_hand(view, seat, colour), at=(12, 74))


def _hand(view: View, seat: int, colour: str) -> Iterator[Markup]:
    """Cards face up for who may know them, else their backs."""
    back = pieces.card(colour, str(seat), None)
    shown = [
        own(view, seat, CARD.of(number), pieces.card(colour, str(seat), number))
        for number in view.hands[seat] or ()
    ]
    for place, piece in enumerate(shown or [back] * view.hand_sizes[seat]):
        yield group(piece, at=(place * 26, 0))
    if not view.hand_sizes[seat]:
        yield text(0, 22, "no cards", 16, fill=FAINT)


def _beside(view: View) -> Iterator[Markup]:
    """Emperor cards, boards in reserve, piles, event cards."""
    for place in range(view.emperors):
        yield group(pieces.emperor(), at=(11 + 28 * place, -5))
    yield text(28 * view.emperors + 8 * bool(view.emperors), 0, _boards(view), 16, fill=INK)
    yield text(0, 42, "Prestige in the pile", 16, fill=FAINT)
    for number, left in enumerate(view.prestige_left):
        yield _counted(pieces.prestige_tile(number), 14, left, (166 + number * 49, 37))
    yield text(0, 88, "Threats not seen", 16, fill=FAINT)
    for place, (loss, left) in enumerate(view.unseen.items()):
        tile = pieces.threat_tile(f"-{loss}", known=True)
        yield _counted(tile, 22, left, (172 + place * 82, 83))
    yield text(0, 132, f"Events: {events(view)}", 16, fill=INK)
    if view.neutral is not None:
        yield text(0, 162, f"{count(view.neutral, 'neutral single')} left", 16, fill=INK)


def _counted(piece: Markup, x: float, left: int, at: tuple[float, float]) -> Markup:
    """A piece, and how many there are of it."""
    return group(group(piece, scale=0.8), text(x, 6, f"\u00d7{left}", 16, fill=INK), at=at)


def _boards(view: View) -> str:
    """Whether boards may still be added, and which."""
    if not view.extensions:
        return "No board is added any more"
    return f"{count(view.extensions, 'more board')} (of {', '.join(view.reserve)})"
