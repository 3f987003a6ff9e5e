"""The lines below the boards that say what the signs mean."""

from __future__ import annotations

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.sentences import Sentence, Words, sentence
from domain.games.chang_cheng.board import CARDS
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.view import View

COLUMNS, COLUMN, LINE = 2, 170, 34
"""The number of columns, the width of each, and the height of an entry."""
WIDTH, LETTERS = COLUMNS * COLUMN, 42
"""The width of the panel in pixels, and of a line of words in letters."""


def panel(view: View, words: Words) -> Panel:
    """The signs in two columns, and the cards by number."""
    entries = _entries(view, words)
    below = -(-len(entries) // COLUMNS) * LINE
    signs = [
        group(
            sign,
            text(48, 22, words(f"sign_{key}"), 15, fill=FAINT),
            at=(place % COLUMNS * COLUMN, place // COLUMNS * LINE),
        )
        for place, (key, sign) in enumerate(entries)
    ]
    cards = " \u00b7 ".join(f"{number} {words(f'card_{number}')}" for number in CARDS)
    said_below = (
        *about_pieces(words),
        words("legend_cards", cards=cards),
        words("legend_places"),
        words("legend_seams"),
    )
    lines = [line for each in said_below for line in wrap(each, LETTERS)]
    said = [text(0, below + 20 * (row + 1), each, 15, fill=FAINT) for row, each in enumerate(lines)]
    return plain_panel(
        words, "legend", (WIDTH, below + 20 * len(lines) + 8), [*signs, *said], folds=True
    )


def about_pieces(words: Words) -> list[str]:
    """What the pieces besides singles do."""
    return [
        words.line(
            sentence("legend_piece", piece=Sentence(f"sign_{one}"), does=Sentence(f"effect_{one}"))
        )
        for one in ("double", "tower")
    ]


def _entries(view: View, words: Words) -> list[tuple[str, Markup]]:
    """Each entry: the key of its text, and its sign."""
    colour = pieces.PLAYERS[view.colours[0]]
    return [
        ("single", _small(pieces.wall(colour, "", 46))),
        ("double", _small(pieces.wall(colour, "", 66))),
        ("tower", _small(pieces.tower(colour, "", 46))),
        ("ruin", _small(pieces.ruin(colour, "", 50))),
        ("kept", _small(pieces.reservation(colour, "", 50))),
        ("neutral", _small(pieces.wall(pieces.NEUTRAL_COLOUR, pieces.sign(words, None), 46))),
        ("last", pieces.last_ring(6, 6, 28, 22)),
        ("leading", group(pieces.chip(colour, "1"), at=(10, 7))),
        ("threat", group(pieces.threat_tile("?", known=False), at=(20, 17))),
        ("prestige", group(pieces.prestige_tile(2), at=(20, 17))),
        ("card", group(pieces.card(colour, "1", None), at=(10, 4))),
        ("emperor", group(pieces.emperor(), at=(20, 17))),
    ]


def _small(piece: Markup) -> Markup:
    return group(piece, at=(0, 2), scale=0.65)
