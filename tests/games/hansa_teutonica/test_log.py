"""What the log says of moves."""

from __future__ import annotations

import pytest

from domain.engine.sentences import Sentence, describe
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.events.pieces import PiecePut
from tests.games.hansa_teutonica.table import player, table


@pytest.mark.parametrize("owner", [0, 1], ids=["own", "of another"])
def test_a_move_within_a_route_names_it_once(owner: int) -> None:
    """HT-4.4"""
    event = PiecePut(0, owner, "trader", ("bremen--hannover", 1), lifted=("bremen--hannover", 0))
    spoken = describe(event, GAME.view(table(player(), player(), player()), 0), GAME.sayings)
    assert isinstance(spoken, Sentence)
    said = GAME.words().line(spoken)
    assert said.endswith(" trader within Bremen–Hannover.")
