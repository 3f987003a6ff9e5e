"""What a game says about a random match, as bytes that no order of sets or hashes may change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import cycle

from domain.engine.codecs import json_codec
from domain.engine.game import legal_moves
from domain.games import GAMES
from tests.analysis.matches import analyse_first_moves
from tests.games.modes import tables
from tests.games.record import record

MOMENTS = 3
"""As many as languages at least."""


def digests() -> str:
    """A line for each thing: its name and a hash of its bytes."""
    return "".join(
        f"{name} {hashlib.sha256(content).hexdigest()}\n" for name, content in _contents()
    )


def _contents() -> Iterator[tuple[str, bytes]]:
    """Events, moves, positions, views, pictures and texts in one language after the other, and
    analyses.
    """
    for game in GAMES.values():
        yield f"{game.key} analysis", analyse_first_moves(game)
    for table in (table for table in tables() if table.fewest and table.is_usual):
        game, played = table.game, record(table.game, table.seats, 0)
        yield f"{table.id} events", json_codec.encode(played.events)
        moments = zip(played.some(MOMENTS), cycle(game.resources.texts))
        for number, (moment, language) in enumerate(moments):
            name, state, seat = f"{table.id} {number}", moment.state, moment.move.seat
            view = game.view(state, seat)
            yield f"{name} moves", json_codec.encode(legal_moves(game, state, seat))
            yield f"{name} position", json_codec.encode(game.write_position(state))
            yield f"{name} view", json_codec.encode(view)
            words = game.words(language)
            yield f"{name} {language} picture", game.render_svg(view, words).encode()
            yield f"{name} {language} text", game.render_text(view, words).encode()
