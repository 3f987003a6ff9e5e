"""The store keeps every event of every game, and reads it back unchanged."""

from __future__ import annotations

from functools import reduce
from operator import or_
from pathlib import Path

import pytest
from redis import Redis

from domain.audit.texts import with_head
from domain.engine.codecs.binary_codec import decoder, pack
from domain.engine.codecs.json_codec import event_types
from domain.engine.dice import Luck
from domain.match.decisions import ending, lobby, playing
from domain.match.log import Draft, Entry, apply_events, fold_match, make_entry
from domain.match.scheduled_work import Work, due_changes, due_work
from domain.match.state import Chair, Match
from service.matches.container import open_annals
from service.runtime.settings import Settings
from service.store.entry_codec import ENTRY_FIELD, decode_row, encode_entry
from service.store.event_store import EventStore
from service.store.idempotency import command_id
from tests.games.modes import ALL, modes_of
from tests.games.record import record, some_move
from workers.tools.store.archive import archive_matches

MEASURED = ("hansa_teutonica", "toy")
"""Games whose matches are measured: one with long matches and one with short ones."""
MIN_ENTRIES = 25
"""Entries beside which the keys of a partition count little."""
MAX_MATCH_BYTES = 2500
"""Maximum bytes of the keys of a match in Redis, without its entries."""
MAX_ENTRY_BYTES = 150
"""Maximum bytes of an entry in Redis, beside its move and its events."""
MAX_ARCHIVED_SHARE = 1 / 3
"""Maximum share of these bytes that stays in Redis after the match is archived."""
SEED = bytes(range(32))
PLAYERS = ("u0123456789abcdef", "u123456789abcdef0")
EVERY = {name: game for one in ALL for name, game in modes_of(one).items()}


PLAYED = [
    pytest.param(
        game, seats, seed, id=f"{key}-{seed}", marks=pytest.mark.xdist_group(f"{key}-{seats}")
    )
    for key, game in EVERY.items()
    for seed, seats in enumerate((min(game.seats), max(game.seats)))
]


@pytest.mark.parametrize(("game", "seats", "seed"), PLAYED)
def test_every_event_and_every_move_of_a_game_are_read_back_unchanged(game, seats, seed):
    played = record(game, seats, seed)
    read = decoder(reduce(or_, event_types(game)))
    for event in played.events:
        again = read(pack(event))
        assert (again, type(again)) == (event, type(event))
        assert pack(again) == pack(event)
    read_move = decoder(reduce(or_, game.answers.moves))
    for moment in played.moments:
        assert read_move(pack(moment.move)) == moment.move


@pytest.mark.parametrize("key", EVERY)
def test_seats_stand_first_in_moves_and_steps(key):
    """Feeds of matches do not load the games: they find the seats by position."""
    assert {move.__struct_fields__[0] for move in EVERY[key].answers.moves} == {"seat"}
    assert {step.__struct_fields__[0] for step in EVERY[key].answers.steps} == {"seats"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.key, marks=[] if game.key in MEASURED else [pytest.mark.long])
        for game in ALL
    ],
)
def test_a_whole_match_is_stored_in_few_bytes_an_entry(
    game, redis_client: Redis, redis_url: str, tmp_path: Path
):
    settings = Settings(events_url=redis_url, data=tmp_path, partitions=1)
    annals = open_annals(settings, {game.key: game})
    store, matches, entries = annals.store, list[str](), list[Entry]()
    while len(entries) < MIN_ENTRIES:
        matches.append(f"match{len(matches)}match{len(matches)}")
        entries += store_match(store, game, matches[-1])
    stored = measure_memory(redis_client)
    content = sum(len(entry.move) + len(entry.events) for entry in entries)
    around = len(matches) * MAX_MATCH_BYTES + len(entries) * MAX_ENTRY_BYTES
    assert stored - content <= around
    assert archive_matches(annals, 0).entries == len(entries)
    assert measure_memory(redis_client) <= stored * MAX_ARCHIVED_SHARE
    for match in matches:
        assert fold_match({game.key: game}, store.read(match)).status == "scored"


def measure_memory(redis: Redis) -> int:
    return sum(redis.memory_usage(name, samples=0) for name in redis.scan_iter("{p*"))


def store_match(store: EventStore, game, match_id: str):
    """Store a whole match as the REST API does, each command with a key; every entry reads back."""
    match, dice, entries = Match(game, SEED), Luck(match_id), []
    draft, actor, work = open_match(match_id, game), PLAYERS[0], dict[Work, int]()
    while True:
        version = match.version + 1
        command = command_id(actor, str(version), "print")
        one = make_entry(
            draft, version, actor, 10**12 + version, game.rules, command, secret_of(match)
        )
        one = with_head(match_id, match, one, draft)
        apply_events(match, one, draft.events)
        before, work = work, due_work(match)
        store.append(match_id, one, due_changes(before, work))
        entries.append(one)
        row = {ENTRY_FIELD: encode_entry(match_id, one)}
        assert decode_row(match_id, b"%d-0" % version, row) == one
        if match.status == "scored":
            return entries
        draft, actor = following(match, dice)


def secret_of(match: Match) -> bytes:
    """What the first entry holds beside its events."""
    return b"" if match.version else SEED


def open_match(match_id: str, game) -> Draft:
    chairs = tuple(Chair(player=player) for player in PLAYERS)
    plan = lobby.Plan(
        match=match_id, host=PLAYERS[0], chairs=chairs, expires=1 << 41, seed_given=True
    )
    return lobby.create(game, plan, SEED, 0)


def following(match: Match, dice) -> tuple[Draft, str]:
    """The next draft, and who acts."""
    if match.over:
        return ending.score(match), "system"
    move = some_move(match.game, match.state, dice, match.version)
    return playing.move(match, move, 10**12 + match.version), PLAYERS[move.seat]
