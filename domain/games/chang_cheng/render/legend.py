"""The lines below the boards that say what the signs mean."""

from __future__ import annotations

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.sentences import Words
from domain.games.chang_cheng.board import CARDS
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.view import View

COLUMNS, COLUMN, LINE = 2, 200, 42
"""The number of columns, the width of each, and the height of an entry."""


def panel(view: View, words: Words) -> Panel:
    """The signs in two columns, and the cards by number."""
    entries = _entries(view)
    below = -(-len(entries) // COLUMNS) * LINE
    signs = [
        group(
            group(sign, at=(0, 4)),
            text(40, 26, words(f"sign_{key}"), 16, fill=FAINT),
            at=(place % COLUMNS * COLUMN, place // COLUMNS * LINE),
        )
        for place, (key, sign) in enumerate(entries)
    ]
    cards = " \u00b7 ".join(f"{number} {words(f'card_{number}')}" for number in CARDS)
    lines = wrap(words("legend_cards", cards=cards), 48)
    said = [text(0, below + 20 * (row + 1), each, 16, fill=FAINT) for row, each in enumerate(lines)]
    size = (COLUMNS * COLUMN, below + 20 * len(lines) + 8)
    return plain_panel(words, "legend", size, [*signs, *said], folds=True)


def _entries(view: View) -> list[tuple[str, Markup]]:
    """Each entry: the key of its text, and its sign."""
    colour = pieces.PLAYERS[view.colours[0]]
    return [
        ("single", group(pieces.wall(colour, "", 26), at=(2, -2), scale=0.6)),
        ("double", group(pieces.wall(colour, "", 54), at=(0, -2), scale=0.6)),
        ("tower", group(pieces.tower(colour, "", 26), at=(2, 0), scale=0.6)),
        ("ruin", group(pieces.ruin(colour, "", 30), at=(0, -4), scale=0.7)),
        ("kept", group(pieces.reservation(colour, "", 30), at=(0, -2), scale=0.7)),
        ("neutral", group(pieces.wall(pieces.NEUTRAL_COLOUR, "", 26), at=(2, -2), scale=0.6)),
        ("last", pieces.last_mark(14, 24)),
        ("threat", group(pieces.threat_tile("?", known=False), at=(16, 17), scale=0.65)),
        ("prestige", group(pieces.prestige_tile(2), at=(14, 17), scale=0.75)),
        ("card", group(pieces.card(colour, "0", None), at=(4, 2))),
        ("emperor", group(pieces.emperor(), at=(14, 17))),
    ]
