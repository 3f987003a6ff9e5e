"""Each type of event and move is in a recorded store, so that later versions must read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.engine.codecs.binary_codec import class_id
from domain.games import GAMES
from domain.match.events import MATCH_EVENTS
from tests.games.test_replays import REPLAYS
from tests.stored.rare_turns import rare_turns
from tests.stored.record import recorded_types
from tests.stored.whole_matches import play_rare_turns, tag, types_of

pytestmark = pytest.mark.slow
NEVER_RECORDED = Path(__file__).with_name("never_recorded.json")
"""By game, the types that are in no recorded store yet, because they are rare at random. A game
that is not here has none. The list only gets shorter: if you add a type, record a store that has
it.
"""


def test_rare_turns_have_what_no_recorded_game_of_their_games_has() -> None:
    recorded = {one for match in play_rare_turns() for one in types_of(match)}
    keys = {turn.plan.game.key for turn in rare_turns()}
    assert len(keys) > 1
    for key in keys:
        types = (*GAMES[key].events, *GAMES[key].answers.moves)
        names = {one.__name__ for one in types if (tag(key), class_id(one)) in recorded}
        assert REPLAYS[key].rare <= names


def test_each_type_of_event_and_move_is_recorded() -> None:
    recorded = set(recorded_types())
    numbers = {number for _, number in recorded}
    missing = {"match": [one for one in MATCH_EVENTS if class_id(one) not in numbers]}
    for game in GAMES.values():
        types = (*game.events, *game.answers.moves)
        missing[game.key] = [one for one in types if (game.key, class_id(one)) not in recorded]
    names = {key: sorted(one.__name__ for one in found) for key, found in missing.items() if found}
    listed = json.loads(NEVER_RECORDED.read_text())
    assert names == listed, "Record a store that has the new types: `make stored VERSION=...`"
