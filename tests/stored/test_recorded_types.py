"""Each type of event and move is in a recorded store, so that later versions must read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.engine.codecs.binary_codec import class_id
from domain.games import GAMES
from tests.games.test_replays import REPLAYS
from tests.stored.rare_turns import rare_turns
from tests.stored.record import NEVER_RECORDED, missing_types, shorten_list
from tests.stored.whole_matches import play_rare_turns, tag, types_of

pytestmark = pytest.mark.slow


def test_rare_turns_have_what_no_recorded_game_of_their_games_has() -> None:
    recorded = {one for match in play_rare_turns() for one in types_of(match)}
    keys = {turn.plan.game.key for turn in rare_turns()}
    assert len(keys) > 1
    for key in keys:
        types = (*GAMES[key].events, *GAMES[key].answers.moves)
        names = {one.__name__ for one in types if (tag(key), class_id(one)) in recorded}
        assert REPLAYS[key].rare <= names


def test_each_type_of_event_and_move_is_recorded() -> None:
    listed = json.loads(NEVER_RECORDED.read_text())
    assert missing_types() == listed, "Record a store that has the new types: see docs/release.md"


def test_recording_a_store_takes_its_types_off_the_list(tmp_path: Path) -> None:
    file, missing = tmp_path / "list.json", missing_types()
    recorded = {key: [game.events[0].__name__] for key, game in GAMES.items()}
    file.write_text(json.dumps({**missing, **recorded}))
    shorten_list(file)
    assert json.loads(file.read_text()) == missing
