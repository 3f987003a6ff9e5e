"""The side of the picture that says who has what and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import FAINT, INK, PAPER, card, count, note, own
from domain.engine.svg import Markup, circle, group, marked, rect, text
from domain.engine.telling import say
from domain.games.tigris_euphrates import touch
from domain.games.tigris_euphrates.board import COLORS, MONUMENT_COLORS
from domain.games.tigris_euphrates.render import pieces
from domain.games.tigris_euphrates.render.words import (
    ENGLISH,
    deed,
    fighting,
    removed,
    result,
    status,
    strengths,
)
from domain.games.tigris_euphrates.view import View

WIDTH = 422
TOP = 178
CARD = WIDTH - 20
CARD_HEIGHTS = {2: 152, 3: 136, 4: 118}
"""The room of a card by the number of players: as much as there is."""
TILES = {2: 32, 3: 32, 4: 27}
"""The side of a tile in a hand, likewise."""
FOOT = 160
TILE = 27


def height(view: View) -> int:
    """How much room it needs."""
    return TOP + len(view.dynasties) * _card_height(view) + FOOT


def _card_height(view: View) -> int:
    return CARD_HEIGHTS[len(view.dynasties)]


def parts(view: View) -> Iterator[Markup]:
    """From the title down to the bag."""
    yield text(0, 44, "Tigris & Euphrates", 30, fill=INK, font_weight=700)
    for number, words in enumerate(_headline(view)):
        yield text(0, 72 + number * 22, words, 18, fill=INK, font_weight=700)
    for number, words in enumerate(_news(view)):
        yield text(0, 120 + number * 20, words, 16, fill=FAINT)
    for seat in range(len(view.dynasties)):
        yield group(*_card(view, seat), at=(0, TOP + seat * _card_height(view)))
    yield group(*_box(view), at=(0, TOP + len(view.dynasties) * _card_height(view) + 4))


def _headline(view: View) -> list[str]:
    """Whose decision it is, in two lines at most; strengths while there is a conflict."""
    if view.ended is not None:
        return [f"Game over: {ENGLISH[f'end_{view.ended}']}"]
    if conflict := fighting(view):
        attack, defence = strengths(view, conflict)
        name = f"{conflict.kind.capitalize()} of {conflict.color} leaders"
        first = f"{name}: attack {attack}, defence {defence}"
        side = "attack" if view.awaiting == (conflict.attacker,) else "defence"
        return [first, f"Seat {view.awaiting[0]} to commit {conflict.support} tiles ({side})"]
    return wrap(status(view), 44)[:2]


def _news(view: View) -> list[str]:
    """What was done last, and how the last conflict ended, in three lines at most."""
    news = []
    if (last := view.last) is not None:
        news.append(f"Last action: {say(deed(last), ENGLISH, _seats(view))}")
    if (end := view.conflict) is not None:
        news.append(f"Last {end.kind} ({end.color}): seat {end.winner} beat seat {end.loser},")
        news.append(f"{result(end)}{removed(end)}")
    return news


def _seats(view: View) -> list[str]:
    """Seats by their numbers alone, as there is little room."""
    return [f"seat {seat}" for seat in range(len(view.dynasties))]


def _card(view: View, seat: int) -> Iterator[Markup]:
    """One player: dynasty, points, leaders and tiles in front of and behind the screen."""
    yield card(view, seat, CARD, _card_height(view) - 9)
    yield circle(25, 25, 18, fill=PAPER, stroke=INK, stroke_width=1.5)
    yield group(pieces.dynasty_sign(view.dynasties[seat], 0.85), at=(25, 25))
    name = f"Seat {seat}, {view.dynasties[seat]}"
    yield text(52, 26, name, 18, fill=INK, font_weight=700)
    yield text(
        CARD - 12,
        26,
        note(view, seat, view.active),
        15,
        fill=INK,
        font_weight=700,
        text_anchor="end",
    )
    yield group(*_points(view, seat), at=(52, 48))
    tile = TILES[len(view.dynasties)]
    middle = (60 + _card_height(view) - 9) / 2
    yield group(*_hand(view, seat, tile), at=(24, middle))
    yield group(*_supply(view, seat), at=(40 + 6 * (tile + 1), middle))


def _points(view: View, seat: int) -> Iterator[Markup]:
    """Points by colour, treasures, and what counts of them."""
    known = view.points[seat]
    for color in range(len(COLORS)):
        x = color * 46
        yield rect(x, -12, 42, 25, rx=5, fill=pieces.TINTS[color])
        words = "?" if known is None else str(known[color])
        yield _number(x + 21, words, pieces.MARKS[color])
    yield group(pieces.treasure(scale=1.1), at=(204, 0))
    taken = view.treasures_taken[seat]
    yield text(219, 6, "?" if taken is None else str(taken), 18, fill=INK, font_weight=700)
    score = view.scores[seat]
    if score is not None:
        yield text(CARD - 64, 6, f"score {score}", 17, fill=INK, text_anchor="end")


def _number(x: float, words: str, colour: str) -> Markup:
    return text(x, 6.5, words, 18, fill=colour, font_weight=700, text_anchor="middle")


def _hand(view: View, seat: int, tile: float) -> Iterator[Markup]:
    hand = view.hands[seat]
    shown = [
        own(view, seat, touch.tile(color), pieces.tile(COLORS.index(color), tile))
        for color in hand or ()
    ]
    if hand is None:
        shown = [pieces.back(tile)] * view.hand_sizes[seat]
    for number, piece in enumerate(shown):
        yield group(piece, at=(number * (tile + 1), 0))


def _supply(view: View, seat: int) -> Iterator[Markup]:
    """Leaders not on the board, and catastrophe tiles."""
    posted = {piece.color for piece in view.leaders if piece.seat == seat}
    free = [number for number, color in enumerate(COLORS) if color not in posted]
    for place, number in enumerate(free):
        piece = pieces.leader(number, view.dynasties[seat], 0.58)
        yield group(own(view, seat, touch.leader(COLORS[number]), piece), at=(place * 29, 0))
    for place in range(view.catastrophes_left[seat]):
        tile = own(view, seat, touch.CATASTROPHE.of(), pieces.catastrophe(20))
        yield group(tile, at=(117 + place * 22, 0))


def _box(view: View) -> Iterator[Markup]:
    """What is not yet built, how many tiles are in the bag, and which nobody has seen."""
    free = [number for number, built in enumerate(view.monuments) if built.at is None]
    yield text(0, 14, "Monuments to build" if free else "All are built", 16, fill=FAINT)
    for place, number in enumerate(free):
        piece = pieces.monument(MONUMENT_COLORS[number], 0.68)
        name = touch.MONUMENT.of(view.monuments[number].monument)
        yield group(marked(name, piece), at=(29 + place * 64, 50))
    treasures = f"{count(len(view.treasures), 'treasure')} on the board"
    yield text(0, 98, f"{count(view.bag, 'tile')} in the bag, {treasures}", 17, fill=INK)
    yield text(0, 132, "Not seen yet", 16, fill=FAINT)
    for color, unseen in enumerate(view.unseen.values()):
        at = (120 + color * 72, 126)
        yield group(pieces.tile(color, TILE), text(19, 6, str(unseen), 17, fill=INK), at=at)
