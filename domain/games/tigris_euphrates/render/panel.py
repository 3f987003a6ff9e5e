"""The side of the picture that says who has what and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import FAINT, INK, PAPER, card, note
from domain.engine.svg import Markup, circle, group, rect, text
from domain.games.tigris_euphrates.board import COLORS, MONUMENT_COLORS
from domain.games.tigris_euphrates.render import pieces
from domain.games.tigris_euphrates.render.words import ENDINGS, deed, fighting, status, strengths
from domain.games.tigris_euphrates.view import View

WIDTH = 372
TOP = 132
CARD = WIDTH - 20
CARD_HEIGHT = 114
FOOT = 96
TILE = 25


def height(view: View) -> int:
    """How much room it needs."""
    return TOP + len(view.dynasties) * CARD_HEIGHT + FOOT


def parts(view: View) -> Iterator[Markup]:
    """From the title down to the bag."""
    yield text(0, 40, "Tigris & Euphrates", 27, fill=INK, font_weight=700)
    for number, words in enumerate(_headline(view)):
        yield text(0, 64 + number * 19, words, 15, fill=INK, font_weight=700)
    for number, words in enumerate(_news(view)):
        yield text(0, 102 + number * 16, words, 12, fill=FAINT)
    for seat in range(len(view.dynasties)):
        yield group(*_card(view, seat), at=(0, TOP + seat * CARD_HEIGHT))
    yield group(*_box(view), at=(0, TOP + len(view.dynasties) * CARD_HEIGHT + 4))


def _headline(view: View) -> list[str]:
    """Whose decision it is, in two lines at most; strengths while there is a conflict."""
    if view.ended is not None:
        return [f"Game over: {ENDINGS[view.ended]}"]
    if conflict := fighting(view):
        attack, defence = strengths(view, conflict)
        name = f"{conflict.kind.capitalize()} of {conflict.color} leaders"
        first = f"{name}: attack {attack}, defence {defence}"
        side = "attack" if view.awaiting == (conflict.attacker,) else "defence"
        return [first, f"Seat {view.awaiting[0]} to commit {conflict.support} tiles ({side})"]
    return wrap(status(view), 46)[:2]


def _news(view: View) -> list[str]:
    """What was done last, and how the last conflict ended, a short line for each."""
    news = []
    if (last := view.last) is not None:
        news.append(f"Last action: seat {last.seat} {deed(last)}")
    if (end := view.conflict) is not None:
        totals = f"{end.attacker_total} to {end.defender_total}"
        removed = f", {len(end.removed)} tiles removed" if end.removed else ""
        news.append(
            f"Last {end.kind}, {end.color} leaders: "
            f"seat {end.winner} beat seat {end.loser}, {totals}{removed}"
        )
    return news


def _card(view: View, seat: int) -> Iterator[Markup]:
    """One player: dynasty, points, leaders and tiles in front of and behind the screen."""
    yield card(view, seat, CARD, CARD_HEIGHT - 9)
    yield circle(25, 25, 18, fill=PAPER, stroke=INK, stroke_width=1.5)
    yield group(pieces.dynasty_sign(view.dynasties[seat], 0.85), at=(25, 25))
    name = f"Seat {seat}, {view.dynasties[seat]}"
    yield text(52, 24, name, 16, fill=INK, font_weight=700)
    yield text(
        CARD - 12,
        24,
        note(view, seat, view.active),
        13,
        fill=INK,
        font_weight=700,
        text_anchor="end",
    )
    yield group(*_points(view, seat), at=(52, 42))
    yield group(*_hand(view, seat), at=(22, 82))
    yield group(*_supply(view, seat), at=(190, 82))


def _points(view: View, seat: int) -> Iterator[Markup]:
    """Points by colour, treasures, and what counts of them."""
    known = view.points[seat]
    for color in range(len(COLORS)):
        x = color * 45
        yield rect(x, -11, 40, 23, rx=5, fill=pieces.TINTS[color])
        words = "?" if known is None else str(known[color])
        yield _number(x + 20, words, pieces.MARKS[color])
    yield group(pieces.treasure(scale=1.1), at=(194, 0))
    taken = view.treasures_taken[seat]
    yield text(208, 6, "?" if taken is None else str(taken), 15, fill=INK, font_weight=700)
    score = view.scores[seat]
    if score is not None:
        yield text(CARD - 64, 6, f"score {score}", 14, fill=INK, text_anchor="end")


def _number(x: float, words: str, colour: str) -> Markup:
    return text(x, 6, words, 15, fill=colour, font_weight=700, text_anchor="middle")


def _hand(view: View, seat: int) -> Iterator[Markup]:
    hand = view.hands[seat]
    shown = [pieces.tile(COLORS.index(color), TILE) for color in hand or ()]
    if hand is None:
        shown = [pieces.back(TILE)] * view.hand_sizes[seat]
    for number, piece in enumerate(shown):
        yield group(piece, at=(number * (TILE + 1), 0))


def _supply(view: View, seat: int) -> Iterator[Markup]:
    """Leaders not on the board, and catastrophe tiles."""
    posted = {piece.color for piece in view.leaders if piece.seat == seat}
    free = [number for number, color in enumerate(COLORS) if color not in posted]
    for place, number in enumerate(free):
        yield group(pieces.leader(number, view.dynasties[seat], 0.56), at=(place * 29, 0))
    for place in range(view.catastrophes_left[seat]):
        yield group(pieces.catastrophe(20), at=(120 + place * 23, 0))


def _box(view: View) -> Iterator[Markup]:
    """What is not yet built, how many tiles are in the bag, and which nobody has seen."""
    yield text(0, 12, "Monuments to build", 13, fill=FAINT)
    free = [number for number, built in enumerate(view.monuments) if built.at is None]
    for place, number in enumerate(free):
        yield group(pieces.monument(MONUMENT_COLORS[number], 0.38), at=(140 + place * 36, 12))
    treasures = f"{len(view.treasures)} treasures on the board"
    yield text(0, 42, f"{view.bag} tiles in the bag, {treasures}", 14, fill=INK)
    yield text(0, 70, "Not seen yet", 13, fill=FAINT)
    for color, count in enumerate(view.unseen.values()):
        at = (96 + color * 66, 66)
        yield group(pieces.tile(color, TILE), text(18, 5, str(count), 14, fill=INK), at=at)
