"""Positions of recorded matches, as earlier versions wrote them, are read unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.games import GAMES
from tests.engine.table import contents

RECORDED = Path(__file__).parent / "recorded_positions"
"""By game: the setup, by its number in `setups`, and the seats of a match, what was given and, if
that is another text, what was written. A new game has no earlier version.
"""
EARLIER = [GAMES[path.stem] for path in sorted(RECORDED.glob("*.json"))]


@pytest.mark.parametrize("game", EARLIER, ids=lambda game: game.key)
def test_positions_of_earlier_versions_are_read_and_written_unchanged(game: Any) -> None:
    """At the beginning of a turn, in its middle and at the end; in full or in short form."""
    recorded = msgspec.json.decode((RECORDED / f"{game.key}.json").read_bytes())
    setups = [msgspec.convert(setup, game.setup_type) for setup in recorded["setups"]]
    for row in recorded["rows"]:
        setup, seats, written = setups[row["setup"]], row["seats"], row["written"] or row["given"]
        state = game.read_position(setup, row["given"], seats)
        assert json_codec.json_round_trip(game.write_position(state)) == written
        again = game.read_position(setup, written, seats)
        assert contents(again) == contents(state)
