"""The right side of the picture: whose turn it is, who has what, what lies beside the boards."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK, mark_own, seat_card, seat_note
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.sentences import Words, sentence
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.render.sentences import events, last_turn, scoring_now, status
from domain.games.chang_cheng.touch import CARD
from domain.games.chang_cheng.view import View

WIDTH = 400
HEAD = 134
CARD_HIGH = 112
BESIDE = 200
HAND_SCALE = 1.4
HAND_STEP = 36
"""From one card of a hand to the next; each is 31 wide, for a finger."""


def panels(view: View, words: Words) -> Iterator[Panel]:
    """The turn, the players, and what lies beside the boards."""
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(view, words))
    for seat in seats_from_own(view, len(view.scores)):
        yield seat_panel(view, words, seat, (WIDTH, CARD_HIGH), _seat(view, seat, words))
    beside = group(*_beside(view, words), at=(0, 24))
    yield plain_panel(words, "table", (WIDTH, BESIDE), [beside])


def _head(view: View, words: Words) -> Iterator[Markup]:
    """The title, whose turn it is, and the last turn."""
    yield text(0, 26, words("title"), 32, fill=INK, font_weight=700)
    for number, line in enumerate(wrap(status(view, words), 40)[:2]):
        yield text(0, 60 + 23 * number, line, 19, fill=INK, font_weight=700)
    below = scoring_now(view, words) or last_turn(view, words)
    for number, line in enumerate(wrap(below, 48)[:2]):
        yield text(0, 108 + 20 * number, line, 16, fill=FAINT)


def _seat(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """Colour, points, pieces, hand."""
    colour = pieces.PLAYERS[view.colours[seat]]
    named = sentence(f"colour_{view.colours[seat]}")
    name = words("seat_heading", seat=words.heading(seat), colour=named)
    yield seat_card(view, seat, WIDTH, CARD_HIGH)
    yield group(pieces.wall(colour, str(seat), 38), at=(12, -4))
    yield text(62, 27, name, 19, fill=INK, font_weight=700)
    yield text(62, 50, _supply(view, seat, words), 16, fill=INK)
    score = str(view.scores[seat])
    yield text(WIDTH - 14, 38, score, 30, fill=INK, font_weight=700, text_anchor="end")
    notes = seat_note(view, seat, words=words)
    yield text(WIDTH - 14, 94, notes, 16, fill=INK, font_weight=700, text_anchor="end")
    yield group(*_hand(view, seat, colour, words), at=(12, 64))


def _supply(view: View, seat: int, words: Words) -> str:
    """The pieces that a seat has not built yet."""
    supply = view.unbuilt[seat]
    singles = words("singles", count=supply.singles)
    others = ["build_double"] * supply.doubles + ["build_tower"] * supply.towers
    return words("list_more").join([singles, *map(words, others)])


def _hand(view: View, seat: int, colour: str, words: Words) -> Iterator[Markup]:
    """Cards face up for who may know them, else their backs."""
    back = pieces.card(colour, str(seat), None)
    shown = [
        mark_own(view, seat, CARD.of(number), pieces.card(colour, str(seat), number))
        for number in view.cards_in_hand[seat] or ()
    ]
    for place, piece in enumerate(shown or [back] * view.hand_sizes[seat]):
        yield group(piece, at=(place * HAND_STEP, 0), scale=HAND_SCALE)
    if not view.hand_sizes[seat]:
        yield text(0, 30, words("no_cards"), 16, fill=FAINT)


def _beside(view: View, words: Words) -> Iterator[Markup]:
    """Emperor cards, boards in reserve, piles, event cards."""
    for place in range(view.emperors):
        yield group(pieces.emperor(), at=(11 + 28 * place, -5))
    boards = _boards(view, words)
    yield text(28 * view.emperors + 8 * bool(view.emperors), 0, boards, 16, fill=INK)
    yield text(0, 42, words("prestige_left"), 16, fill=FAINT)
    for number, left in enumerate(view.prestige_left):
        yield _count(pieces.prestige_tile(number), 14, left, (166 + number * 49, 37))
    yield text(0, 88, words("threats_unseen"), 16, fill=FAINT)
    for place, (loss, left) in enumerate(view.unseen.items()):
        tile = pieces.threat_tile(f"-{loss}", known=True)
        yield _count(tile, 22, left, (172 + place * 82, 83))
    yield text(0, 132, words("events_open", cards=events(view)), 16, fill=INK)
    if view.neutral is not None:
        yield text(0, 162, words("neutrals_left", count=view.neutral), 16, fill=INK)


def _count(piece: Markup, x: float, left: int, at: tuple[float, float]) -> Markup:
    """A piece, and how many there are of it."""
    return group(group(piece, scale=0.8), text(x, 6, f"\u00d7{left}", 16, fill=INK), at=at)


def _boards(view: View, words: Words) -> str:
    """Whether and which boards may still be added."""
    if not view.extensions:
        return words("no_more_boards")
    boards = words("list_more").join(view.reserve)
    return words("more_boards", count=view.extensions, boards=boards)
