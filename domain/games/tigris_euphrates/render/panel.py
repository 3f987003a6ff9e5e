"""The side panel of the picture: players, last events, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK, PAPER, mark_own, seat_card, seat_note
from domain.engine.drawing.svg import Markup, circle, group, mark, rect, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.sentences import SeatName, Sentence, Words, sentence
from domain.games.tigris_euphrates import touch
from domain.games.tigris_euphrates.board import COLORS, HAND_SIZE, MONUMENT_COLORS
from domain.games.tigris_euphrates.render import pieces, sentences
from domain.games.tigris_euphrates.view import View

WIDTH = 402
HEAD = 154
CARD_HEIGHTS = {2: 143, 3: 127, 4: 109}
"""The height of a card in pixels, by the number of players."""
TILE = 32
"""The side of a tile in a hand in pixels: large enough to touch."""
FOOT = 146
SWATCH = 27


def _card_height(view: View) -> int:
    return CARD_HEIGHTS[len(view.dynasties)]


def panels(view: View, words: Words) -> Iterator[Panel]:
    """The turn, the players, and what lies beside the board."""
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(view, words))
    for seat in seats_from_own(view, len(view.dynasties)):
        size = (WIDTH, _card_height(view))
        yield seat_panel(view, words, seat, size, _card(view, seat, words))
    yield plain_panel(words, "table", (WIDTH, FOOT), _box(view, words))


def _head(view: View, words: Words) -> Iterator[Markup]:
    """The title, whose turn it is, and the last events."""
    yield text(0, 30, words("title"), 30, fill=INK, font_weight=700)
    for number, line in enumerate(_headline(view, words)[:2]):
        yield text(0, 58 + number * 22, line, 18, fill=INK, font_weight=700)
    for number, line in enumerate(_news(view, words)[:3]):
        yield text(0, 106 + number * 20, line, 16, fill=FAINT)


def _headline(view: View, words: Words) -> list[str]:
    """Who decides; during a conflict also the strengths."""
    if view.ended is not None:
        return [words("game_over", reason=Sentence(f"end_{view.ended}"))]
    if conflict := sentences.fighting(view):
        attack, defence = sentences.strengths(view, conflict)
        leaders = Sentence(f"leaders_{conflict.color}")
        color = Sentence(f"color_{conflict.support}")
        key = "headline_commit_you" if view.seat in view.awaiting else "headline_commit"
        return [
            words(f"headline_{conflict.kind}", leaders=leaders, attack=attack, defence=defence),
            words.line(sentence(key, seat=SeatName(view.awaiting[0]), color=color)),
        ]
    return wrap(sentences.status(view, sentences.with_dynasties(view, words)), 40)


def _news(view: View, words: Words) -> list[str]:
    """The last action and the outcome of the last conflict, without dynasties to save space."""
    return [line for said in sentences.news(view, words) for line in wrap(said, 50)]


def _card(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """The card of a player: dynasty, points, leaders, tiles."""
    yield seat_card(view, seat, WIDTH, _card_height(view))
    yield circle(25, 25, 18, fill=PAPER, stroke=INK, stroke_width=1.5)
    yield group(pieces.dynasty_sign(view.dynasties[seat], 0.85), at=(25, 25))
    dynasty = sentences.dynasty(view, seat)
    name = words("card", seat=words.heading(seat), dynasty=dynasty)
    yield text(52, 26, name, 18, fill=INK, font_weight=700)
    yield text(
        WIDTH - 12,
        26,
        seat_note(view, seat, view.active, words),
        15,
        fill=INK,
        font_weight=700,
        text_anchor="end",
    )
    yield group(*_points(view, seat, words), at=(52, 48))
    middle = (60 + _card_height(view)) / 2
    yield group(*_hand(view, seat), at=(24, middle))
    yield group(*_supply(view, seat, words), at=(40 + HAND_SIZE * (TILE + 1), middle))


def _points(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """Points by colour, treasures, and the colour that counts."""
    known = view.points[seat]
    for color in range(len(COLORS)):
        number = "?" if known is None else str(known[color])
        yield group(*_purse(color, number), at=(color * 51, 0))
    yield group(pieces.treasure(scale=1.1), at=(215, 0))
    taken = view.treasures_taken[seat]
    yield text(229, 6, "?" if taken is None else str(taken), 18, fill=INK, font_weight=700)
    score = view.scores[seat]
    if score is not None:
        said = words("score", score=score)
        yield text(WIDTH - 64, 6, said, 17, fill=INK, text_anchor="end")


def _purse(color: int, number: str) -> Iterator[Markup]:
    """The points of a colour, with its sign."""
    mark = pieces.MARKS[color]
    yield rect(0, -12, 48, 25, rx=5, fill=pieces.TINTS[color])
    yield group(pieces.sign(color), at=(12, 0.5), scale=0.48)
    yield text(33, 6.5, number, 18, fill=mark, font_weight=700, text_anchor="middle")


def _hand(view: View, seat: int) -> Iterator[Markup]:
    hand = view.hands[seat]
    shown = [
        mark_own(view, seat, touch.tile(color), pieces.tile(COLORS.index(color), TILE))
        for color in hand or ()
    ]
    if hand is None:
        shown = [pieces.back(TILE)] * view.hand_sizes[seat]
    for number, piece in enumerate(shown):
        yield group(piece, at=(number * (TILE + 1), 0))


def _supply(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """Leaders not on the board, and catastrophe tiles."""
    posted = {piece.color for piece in view.leaders if piece.seat == seat}
    free = [number for number, color in enumerate(COLORS) if color not in posted]
    for place, number in enumerate(free):
        sign = words(f"sign_leader_{COLORS[number]}")
        piece = pieces.leader(number, view.dynasties[seat], sign, 0.58)
        yield group(mark_own(view, seat, touch.leader(COLORS[number]), piece), at=(place * 29, 0))
    for place in range(view.catastrophes_left[seat]):
        tile = mark_own(view, seat, touch.CATASTROPHE.of(), pieces.catastrophe(28))
        yield group(tile, at=(119 + place * 29, 0))


def _box(view: View, words: Words) -> Iterator[Markup]:
    """Unbuilt monuments, the tiles in the bag, and those that no player has seen."""
    free = [number for number, built in enumerate(view.monuments) if built.at is None]
    yield text(0, 14, words("to_build" if free else "all_built"), 16, fill=FAINT)
    for place, number in enumerate(free):
        piece = pieces.monument(MONUMENT_COLORS[number], 0.68)
        name = touch.MONUMENT.of(view.monuments[number].monument)
        yield group(mark(name, piece), at=(29 + place * 64, 50))
    tiles, treasures = sentence("tiles", count=view.bag), sentences.treasures(view)
    yield text(0, 98, words("bag", tiles=tiles, treasures=treasures), 17, fill=INK)
    yield text(0, 132, words("unseen"), 16, fill=FAINT)
    for color, unseen in enumerate(view.unseen.values()):
        at = (134 + color * 72, 126)
        yield group(pieces.tile(color, SWATCH), text(19, 6, str(unseen), 17, fill=INK), at=at)
