"""The version of the rules increases when they change, since audits use the version in the match.

The tests play each game with random moves that depend only on the rules, and compare a hash of the
events. `make replays` writes the hashes and refuses to change one under the same version. It treats
the recorded games (test_replays.py) alike; they contain all endings and nearly all events.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.game import begin, decide, fold, legal_moves, seats_to_move
from tests.games.modes import ALL, tables
from tests.games.record import some_setup

FILE = Path(__file__).with_name("rules_versions.json")
MOVES = 150
SEEDS = range(2)


@pytest.mark.slow
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_games_that_play_otherwise_have_another_version(game, update_replays):
    known, key = json.loads(FILE.read_text()), game.key
    now = {"rules": game.rules, "played": fingerprint(game)}
    if update_replays and now["rules"] != known.get(key, {}).get("rules"):
        known[key] = now
        FILE.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
    assert key in known, f"{key} is new: run `make replays`."
    assert now == known[key], f"Let `rules` of {key} grow, then run `make replays`."


def fingerprint(game):
    """A hash of the events of games of all modes and numbers of seats."""
    told = hashlib.sha256()
    for table in tables([game], all_seats=True):
        for seed in SEEDS:
            for line in story(table.game, table.seats, seed):
                told.update(line)
    return told.hexdigest()


def story(game, seats, seed):
    """A random game, move after move as JSON, independent of the order of legal moves."""
    dice = Luck(f"{game.key}/{seats}/{seed}")
    setup = some_setup(game, seats, dice)
    happened = begin(game, setup, seats, dice)
    state = fold(game.blank_state(setup, seats), happened)
    yield json_codec.encode([setup, happened])
    for _ in range(MOVES):
        if not seats_to_move(state):
            return
        seat = choose(dice, seats_to_move(state))
        menu = {json_codec.encode(move): move for move in legal_moves(game, state, seat)}
        move = menu[choose(dice, sorted(menu))]
        happened = decide(game, state, move, dice)
        fold(state, happened)
        yield json_codec.encode([len(menu), move, happened])
