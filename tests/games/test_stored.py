"""Whatever happens in any game can be stored, and read back as it was."""

from __future__ import annotations

from functools import reduce
from operator import or_
from pathlib import Path

import pytest
from redis import Redis

from domain.audit.texts import chained
from domain.engine.codecs.binary_codec import pack, reader
from domain.engine.codecs.json_codec import event_types
from domain.engine.dice import Luck
from domain.games import GAMES
from domain.match.decisions import ending, lobby, playing
from domain.match.log import Draft, entry, fold_match, write_down
from domain.match.scheduled_work import Work, changes, due
from domain.match.state import Chair, Match
from service.matches.container import open_annals
from service.runtime.settings import Settings
from service.store.entry_codec import FIELD, entry_of, row_of
from service.store.event_store import Store
from service.store.idempotency import command_of
from tests.games.modes import ALL, modes_of
from tests.games.record import record, some_move
from workers.tools.store.archive import move

MOST_BYTES = 290
"""What an entry may take in Redis with all that belongs to it, in the middle of a whole match."""
MOST_ARCHIVED = 60
"""What is left of that once its match is in the archive."""
SEED = bytes(range(32))
PLAYERS = ("u0123456789abcdef", "u123456789abcdef0")
EVERY = {name: game for one in ALL for name, game in modes_of(one).items()}


@pytest.mark.parametrize("key", EVERY)
@pytest.mark.parametrize("seed", range(2))
def test_whatever_happens_in_a_game_is_read_as_it_was(key, seed):
    game = EVERY[key]
    seats = max(game.seats) if seed else min(game.seats)
    played = record(game, seats, seed)
    read = reader(reduce(or_, event_types(game)))
    for event in played.events:
        again = read(pack(event))
        assert (again, type(again)) == (event, type(event))
        assert pack(again) == pack(event)


@pytest.mark.parametrize("key", EVERY)
def test_whatever_is_chosen_in_a_game_is_read_as_it_was(key):
    game = EVERY[key]
    played = record(game, min(game.seats), 0)
    read = reader(reduce(or_, game.answers.moves))
    for moment in played.moments:
        assert read(pack(moment.move)) == moment.move


@pytest.mark.parametrize("key", EVERY)
def test_seats_stand_first_in_moves_and_steps(key):
    """Lists are made without the games: they know where the seats are."""
    assert {move.__struct_fields__[0] for move in EVERY[key].answers.moves} == {"seat"}
    assert {step.__struct_fields__[0] for step in EVERY[key].answers.steps} == {"seats"}


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_a_whole_match_is_stored_in_few_bytes_an_entry(
    key, redis_client: Redis, redis_url: str, tmp_path: Path
):
    settings = Settings(events_url=redis_url, data=tmp_path, partitions=1)
    annals = open_annals(settings)
    store, matches = annals.store, [f"match{n}match{n}" for n in range(3)]
    entries = sum(len(stored(store, GAMES[key], match)) for match in matches)
    assert used(redis_client) / entries <= MOST_BYTES
    assert move(annals, 0).entries == entries
    assert used(redis_client) / entries <= MOST_ARCHIVED
    for match in matches:
        assert fold_match(GAMES, store.read(match)).status == "scored"


def used(redis: Redis) -> int:
    return sum(redis.memory_usage(name, samples=0) for name in redis.scan_iter("{p*"))


def stored(store: Store, game, match_id: str):
    """A whole match as it is played over REST, each command with a key; every entry comes back."""
    match, dice, entries = Match(game, SEED), Luck(match_id), []
    draft, actor, work = opened(match_id, game), PLAYERS[0], dict[Work, int]()
    while True:
        version = match.version + 1
        command = command_of(actor, str(version), "print")
        one = entry(draft, version, actor, 10**12 + version, game.rules, command, secret_of(match))
        one = chained(match_id, match, one, draft)
        write_down(match, one, draft.events)
        before, work = work, due(match)
        store.append(match_id, one, changes(before, work))
        entries.append(one)
        row = {FIELD: row_of(match_id, one)}
        assert entry_of(match_id, b"%d-0" % version, row) == one
        if match.status == "scored":
            return entries
        draft, actor = following(match, dice)


def secret_of(match: Match) -> bytes:
    """What the first entry holds beside its events."""
    return b"" if match.version else SEED


def opened(match_id: str, game) -> Draft:
    chairs = tuple(Chair(player=player) for player in PLAYERS)
    plan = lobby.Plan(
        match=match_id, host=PLAYERS[0], chairs=chairs, expires=1 << 41, seed_given=True
    )
    return lobby.create(game, plan, SEED, 0)


def following(match: Match, dice) -> tuple[Draft, str]:
    """What comes next, and who does it."""
    if match.over:
        return ending.score(match), "system"
    move = some_move(match.game, match.state, dice, match.version)
    return playing.move(match, move, 10**12 + match.version), PLAYERS[move.seat]
