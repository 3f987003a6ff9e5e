"""The lines below the boards that say what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.sentences import Words
from domain.games.chang_cheng.board import CARDS
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.view import View

HEIGHT = 132
COLUMN = 150


def parts(view: View, words: Words) -> Iterator[Markup]:
    """Two lines of signs, and the cards by number."""
    for place, (key, sign) in enumerate(_entries(view)):
        row, col = divmod(place, 7)
        at = (col * COLUMN, row * 44)
        named = text(40, 18, words(f"sign_{key}"), 16, fill=FAINT)
        yield group(group(sign, at=(0, -4)), named, at=at)
    cards = " \u00b7 ".join(f"{number} {words(f'card_{number}')}" for number in CARDS)
    yield text(0, 106, words("legend_cards", cards=cards), 16, fill=FAINT)


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
