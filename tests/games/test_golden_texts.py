"""The pinned texts and heads do not change, so old chains stay verifiable."""

from __future__ import annotations

import json

import pytest

from domain.games import GAMES
from tests.games.golden_texts import FOLDER, golden_lines
from tests.games.modes import ALL


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_texts_stay_as_they_were_pinned(game, update_replays):
    """If they must change, increase FORMAT in domain/audit/texts.py."""
    found, pinned = golden_lines(game), FOLDER / f"{game.key}.ndjson"
    if update_replays:
        pinned.write_text(found)
    assert found == pinned.read_text()


def test_the_first_text_names_the_format():
    lines = golden_lines(GAMES["qin"]).splitlines()
    texts = [json.loads(json.loads(line)["text"]) for line in lines]
    assert [text.get("format") for text in texts] == [1, *[None] * (len(texts) - 1)]
