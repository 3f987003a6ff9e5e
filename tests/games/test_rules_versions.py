"""The version of the rules grows when they change: matches are verified with the rules they name.

Each game is played by chance in a way that depends on nothing but the rules; what happened is kept
as a hash. `make replays` writes the hashes anew, and refuses to do so under the same version. So it
does with the recorded games (test_replays.py), which come to all endings and nearly all events.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.game import awaited, begin, decide, fold, legal_moves
from domain.games import GAMES
from tests.games.modes import tables
from tests.games.record import some_setup

FILE = Path(__file__).with_name("rules_versions.json")
MOVES = 150
SEEDS = range(2)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_games_that_play_otherwise_have_another_version(key, update_replays):
    known = json.loads(FILE.read_text())
    now = {"rules": GAMES[key].rules, "played": fingerprint(GAMES[key])}
    if update_replays and now["rules"] != known.get(key, {}).get("rules"):
        known[key] = now
        FILE.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
    assert key in known, f"{key} is new: run `make replays`."
    assert now == known[key], f"Let `rules` of {key} grow, then run `make replays`."


def fingerprint(game):
    """A hash of what happens in games of all modes and numbers of seats."""
    told = hashlib.sha256()
    for table in tables([game], all_seats=True):
        for seed in SEEDS:
            for line in story(table.game, table.seats, seed):
                told.update(line)
    return told.hexdigest()


def story(game, seats, seed):
    """A game by chance, move after move as JSON, whatever the order in which moves are listed."""
    dice = Luck(f"{game.key}/{seats}/{seed}")
    setup = some_setup(game, seats, dice)
    happened = begin(game, setup, seats, dice)
    state = fold(game.blank(setup, seats), happened)
    yield json_codec.encode([setup, happened])
    for _ in range(MOVES):
        if not awaited(state):
            return
        seat = choose(dice, awaited(state))
        menu = {json_codec.encode(move): move for move in legal_moves(game, state, seat)}
        move = menu[choose(dice, sorted(menu))]
        happened = decide(game, state, move, dice)
        fold(state, happened)
        yield json_codec.encode([len(menu), move, happened])
