"""What stands beside the boards: whose turn it is, who has what, the reserve and the piles."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK, seat_card, seat_note
from domain.engine.drawing.seat_marks import SeatMark
from domain.engine.drawing.svg import Markup, explain, group, mark, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.resources.texts import figures
from domain.engine.sentences import Words, seat_number, sentence
from domain.games.chang_cheng.board import BOARD_NUMBER, LAYOUTS
from domain.games.chang_cheng.render import legend, pieces
from domain.games.chang_cheng.render.sentences import (
    effect,
    event_effects,
    events,
    last_turn,
    scoring_now,
    status,
)
from domain.games.chang_cheng.touch import BOARD, CARD
from domain.games.chang_cheng.view import View

WIDTH = 340
HEAD = 172
OWN, SEAT, BOARDS, PILES = 166, 82, 74, 78
"""The heights of panels: the viewer's, another seat's, and those beside the boards."""
SPARE, SPARE_CELL = 48, 12.0
"""The height of the boards in reserve, and the width of their cells."""
NAMED_STEP, ROW = (106, 46), 3
"""From one card of the viewer's hand to the next, across and down, and how many stand in a row."""


def panels(view: View, words: Words) -> Iterator[Panel]:
    """The turn, the players, and what lies beside the boards."""
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(view, words))
    for seat in seats_from_own(view, len(view.scores)):
        own = seat == view.seat
        size = (WIDTH, OWN if own else SEAT)
        hand = _own_hand(view, words) if own else _hand(view, seat, words)
        parts = [seat_card(view, seat, *size), *_seat(view, seat, words), *hand]
        yield seat_panel(view, words, seat, size, parts)
    spare = list(_spare_boards(view, words))
    boards = (*spare, group(*_boards(view, words), at=(0, 20 + SPARE * bool(spare))))
    high = BOARDS + SPARE * bool(spare)
    yield Panel("boards", "table", _boards_left(view, words), WIDTH, high, boards)
    piles = group(*_piles(view, words), at=(0, 18))
    yield Panel("piles", "table", words("prestige_left"), WIDTH, PILES, (piles,))


def _head(view: View, words: Words) -> Iterator[Markup]:
    """The title, whose turn it is, and the last turn."""
    yield text(0, 26, words("title"), 32, fill=INK, font_weight=700)
    now = wrap(status(view, words), 36)[:4]
    for number, line in enumerate(now):
        yield text(0, 56 + 21 * number, line, 16.5, fill=INK, font_weight=700)
    below = scoring_now(view, words) or last_turn(view, words)
    for number, line in enumerate(wrap(below, 42)[: 6 - len(now)]):
        yield text(0, 61 + 21 * len(now) + 20 * number, line, 16, fill=FAINT)


def _seat(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """Colour, name, points, pieces, and what is up."""
    colour = pieces.PLAYERS[view.colours[seat]]
    named = sentence(f"colour_{view.colours[seat]}")
    name = words("seat_heading", seat=words.heading(seat), colour=named)
    yield group(pieces.wall(colour, str(seat_number(seat)), 42), at=(8, 2))
    yield text(58, 23, name, 17, fill=INK, font_weight=700)
    supply = text(58, 43, _supply(view, seat, words), 15, fill=INK)
    yield explain(" \u00b7 ".join(legend.about_pieces(words)), supply)
    score = str(view.scores[seat])
    yield text(WIDTH - 14, 47, score, 28, fill=INK, font_weight=700, text_anchor="end")
    notes = seat_note(view, seat, words=words)
    yield text(WIDTH - 14, 67, notes, 15, fill=INK, font_weight=700, text_anchor="end")


def _supply(view: View, seat: int, words: Words) -> str:
    """The pieces that a seat has not built yet."""
    supply = view.unbuilt[seat]
    singles = words("singles", count=supply.singles)
    others = ["build_double"] * supply.doubles + ["build_tower"] * supply.towers
    return words("list_more").join([singles, *map(words, others)])


def _own_hand(view: View, words: Words) -> Iterator[Markup]:
    """The cards of the viewer, with their names."""
    assert view.seat is not None
    colour = pieces.PLAYERS[view.colours[view.seat]]
    for place, number in enumerate(view.cards_in_hand[view.seat] or ()):
        lines = wrap(words(f"card_{number}"), 10)
        drawn = explain(effect(words, number), pieces.named_card(colour, number, lines))
        card = mark(CARD.of(number), drawn)
        across, down = NAMED_STEP
        yield group(card, at=(14 + place % ROW * across, 72 + place // ROW * down))
    if not view.hand_sizes[view.seat]:
        yield text(14, 98, words("no_cards"), 15, fill=FAINT)


def _hand(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """The cards of another seat: face up for those who may know them, else their backs."""
    colour = pieces.PLAYERS[view.colours[seat]]
    cards = view.cards_in_hand[seat] or [None] * view.hand_sizes[seat]
    step = 24 if view.cards_in_hand[seat] is None else 36
    for place, number in enumerate(cards):
        yield group(pieces.card(colour, str(seat_number(seat)), number), at=(14 + place * step, 50))
    if not cards:
        yield text(14, 67, words("no_cards"), 15, fill=FAINT)


def _boards(view: View, words: Words) -> Iterator[Markup]:
    """Emperor cards, boards in reserve, event cards, neutral pieces."""
    for place in range(view.emperors):
        yield group(pieces.emperor(), at=(12 + 27 * place, -4))
    left = 27 * view.emperors + 8 * bool(view.emperors)
    yield text(left, 0, _boards_left(view, words), 15, fill=INK)
    named = text(0, 26, words("events_open", cards=events(view)), 15, fill=INK)
    yield explain(event_effects(view, words), named) if view.events else named
    if view.neutral is not None:
        yield text(0, 48, words("neutrals_left", count=view.neutral), 15, fill=INK)


def _spare_boards(view: View, words: Words) -> Iterator[Markup]:
    """The boards that may still be added, side by side, with the sizes of their regions."""
    for place, name in enumerate(view.reserve if view.extensions else ()):
        layout = LAYOUTS[view.face][BOARD_NUMBER[name]]
        board = pieces.spare_board(layout, words(f"board_{name}"), SPARE_CELL)
        yield group(mark(BOARD.of(name), board), at=(2 + place * WIDTH / 2, 3))


def _piles(view: View, words: Words) -> Iterator[Markup]:
    """The prestige tiles in the pile, and the threats that the viewer has not seen."""
    yield text(0, 0, words("prestige_left"), 15, fill=FAINT)
    for number, left in enumerate(view.prestige_left):
        yield _count(pieces.prestige_tile(number), 12, left, (147 + number * 40, -5))
    yield text(0, 40, words("threats_unseen"), 15, fill=FAINT)
    for place, (loss, left) in enumerate(view.unseen.items()):
        tile = pieces.threat_tile(figures(-int(loss)), known=True)
        yield _count(tile, 21, left, (153 + place * 66, 35))


def _count(piece: Markup, x: float, left: int, at: tuple[float, float]) -> Markup:
    """A piece, and how many there are of it."""
    return group(piece, text(x, 5, f"\u00d7{left}", 15, fill=INK), at=at)


def _boards_left(view: View, words: Words) -> str:
    """Whether and which boards may still be added."""
    if not view.extensions:
        return words("no_more_boards")
    boards = words("list_more").join(words(f"board_{name}") for name in view.reserve)
    return words("more_boards", count=view.extensions, boards=boards)


def seat_mark(view: View, seat: int) -> SeatMark:
    """The wall of a seat."""
    colour = pieces.PLAYERS[view.colours[seat]]
    sign = pieces.wall(colour, str(seat_number(seat)), 42)
    return SeatMark(colour, group(sign, at=(-21, -22)))
