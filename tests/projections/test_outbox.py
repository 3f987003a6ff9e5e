"""What is to be told is planned exactly once, for those who wish to hear it and may."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from domain.match.state import ClockRule
from domain.notices import NOTICE_TYPES, Notice, NoticeType
from projections import PROJECTIONS
from projections.outbox.plan import (
    Outbox,
    Wish,
    clocks_key,
    due_key,
    line_key,
    mailbox,
    put_wish,
    read_notice,
    space_of_outbox,
)
from projections.projector import Projector
from service.store.event_store import Store
from tests.projections.recorded import Recorded, fold_all, varied

ROOT = Path(__file__).parents[2]
FOLDING = """
import sys
from projections import PROJECTIONS
from projections.outbox.plan import Outbox
from projections.projector import Projector
from service.store.redis_client import connect
from service.store.event_store import Store

redis = connect(sys.argv[1])
projector = Projector(redis, Store(redis), range(16), PROJECTIONS, outbox=Outbox(redis))
while sys.stdin.readline() and projector.fold_next(1):
    print("folded", flush=True)
"""
ALL = frozenset(NOTICE_TYPES)


def projector(store: Store) -> Projector:
    return Projector(
        store.redis, store, range(store.partitions), PROJECTIONS, outbox=Outbox(store.redis)
    )


def project(store: Store, limit: int = 1_000) -> None:
    folding = projector(store)
    while folding.fold_next(limit):
        pass


def wish(store: Store, name: str, player: str, types: Collection[NoticeType] = ALL, **more) -> None:
    put_wish(store.redis, store.partitions, name, Wish(player, frozenset(types), **more))


def box(store: Store, name: str, match: str) -> str:
    return mailbox(space_of_outbox(store.partition_of(match)), name)


def line(store: Store, name: str, match: str) -> list[Notice]:
    rows = store.redis.zrange(line_key(box(store, name, match), match), 0, -1)
    return list(map(read_notice, rows))


def kinds(store: Store, name: str, match: str) -> list[NoticeType]:
    return [notice.type for notice in line(store, name, match)]


def test_whoever_wishes_hears_of_their_own_matches_alone(store: Store) -> None:
    wish(store, "w", "ann")
    Recorded(store, "ann bob", match="mine").play_out()
    Recorded(store, "bob cid", match="theirs").play_out()
    project(store)
    assert kinds(store, "w", "mine")[:2] == ["match.created", "match.started"]
    assert kinds(store, "w", "mine")[-2:] == ["move.made", "match.ended"]
    assert line(store, "w", "theirs") == []
    space = space_of_outbox(store.partition_of("mine"))
    assert store.redis.zrange(due_key(space), 0, -1, withscores=True) == [(b"w", 0)]


def test_everything_public_is_there_for_whoever_wishes_it(store: Store) -> None:
    wish(store, "all", "zoe", everybody=True)
    wish(store, "one", "zoe", match="public")
    wish(store, "other", "zoe", everybody=True, game="qin")
    Recorded(store, "ann bob", match="public")
    Recorded(store, "ann bob", match="secret", visibility="private")
    project(store)
    assert line(store, "all", "public") == line(store, "one", "public") != []
    assert line(store, "all", "secret") == line(store, "other", "public") == []


def test_a_private_match_is_told_to_those_who_have_a_part_in_it(store: Store) -> None:
    wish(store, "host", "ann")
    wish(store, "invited", "cid")
    wish(store, "curious", "cid", match="other")
    Recorded(store, "ann ?cid", match="m", visibility="private")
    Recorded(store, "ann bob", match="other", visibility="private")
    project(store)
    assert kinds(store, "host", "m") == kinds(store, "invited", "m") == ["match.created"]
    assert line(store, "curious", "other") == []


def test_only_what_waits_for_one(store: Store) -> None:
    wish(store, "w", "ann", my_turn=True)
    table = Recorded(store, "ann bob", match="m").play_out()
    project(store)
    turns = [notice for notice in line(store, "w", "m") if notice.type == "turn.started"]
    assert turns
    assert {notice.seat for notice in turns} == {0}
    assert "match.ended" not in kinds(store, "w", "m")
    assert len(table.entries) > len({notice.version for notice in line(store, "w", "m")})


def test_what_happened_before_a_wish_is_not_told(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m").play(2)
    folding = projector(store)
    folding.fold_next(1_000)
    before = table.match.version
    wish(store, "w", "ann")  # which the projector hears of by itself
    table.play()
    while folding.fold_next(1_000):
        pass
    assert {notice.version for notice in line(store, "w", "m")} == {before + 1}


def test_a_wish_that_is_withdrawn_is_told_nothing_more(store: Store) -> None:
    wish(store, "w", "ann", ["move.made"])
    table = Recorded(store, "ann bob", match="m").play()
    folding = projector(store)
    folding.fold_next(1_000)
    put_wish(store.redis, store.partitions, "w", None)
    table.play()
    while folding.fold_next(1_000):
        pass
    assert len(line(store, "w", "m")) == 1


@pytest.mark.parametrize("batch", [1, 3, 10_000])
def test_it_makes_no_difference_in_which_batches_it_is_planned(store: Store, batch: int) -> None:
    wish(store, "w", "ann")
    tables = varied(store)
    project(store, batch)
    planned = {table.match.id: line(store, "w", table.match.id) for table in tables}
    places = [notice.place for lines in planned.values() for notice in lines]
    assert len(places) > 40
    store.redis.delete(*store.redis.keys("*:outbox:of:*"), *store.redis.keys("*:outbox:at"))
    project(store)
    assert {table.match.id: line(store, "w", table.match.id) for table in tables} == planned


def test_folding_anew_plans_nothing_anew(store: Store) -> None:
    wish(store, "w", "ann")
    varied(store)
    project(store)
    store.redis.delete(*store.redis.keys("*:outbox:of:*"))
    store.redis.delete(*store.redis.keys("*:rm:*"))
    project(store)
    fold_all(store)
    assert store.redis.keys("*:outbox:of:*") == []


def test_whoever_competes_plans_nothing_twice(store: Store) -> None:
    wish(store, "w", "ann")
    table = Recorded(store, "ann bob", match="m")
    first, second = projector(store), projector(store)
    first.fold_next(1_000)
    second.fold_next(1_000)
    told = line(store, "w", "m")
    store.redis.delete(line_key(box(store, "w", "m"), "m"))  # they were sent
    table.play()
    first.fold_next(1_000)
    second.fold_next(1_000)
    second.fold_next(1_000)
    assert {notice.version for notice in line(store, "w", "m")} == {table.match.version}
    assert told


@pytest.mark.slow
def test_killed_again_and_again_it_plans_everything_once(store: Store, redis_url: str) -> None:
    wish(store, "w", "ann")
    tables = [Recorded(store, "ann bob", match=f"m{n}").play_out() for n in range(8)]
    sent = []
    for kill_after in (2, 9, 5, 8):
        folding = subprocess.Popen(
            [sys.executable, "-c", FOLDING, redis_url],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert folding.stdin
        assert folding.stdout
        folding.stdin.write(b"\n" * (kill_after + 1))
        folding.stdin.flush()
        for _ in range(kill_after):
            folding.stdout.readline()
        os.kill(folding.pid, signal.SIGKILL)
        folding.communicate()
        sent += taken(store, tables)  # what is sent is gone: planned twice it would be there again
    project(store)
    sent += taken(store, tables)
    assert len(sent) == len(set(sent))
    for table in tables:
        mine = [(version, number) for match, version, number in sent if match == table.match.id]
        assert {version for version, _ in mine} == set(range(1, table.match.version + 1))
        assert mine == sorted(mine)


def taken(store: Store, tables: list[Recorded]) -> list[tuple[str, int, int]]:
    found = []
    for table in tables:
        match = table.match.id
        found += [(match, notice.version, notice.number) for notice in line(store, "w", match)]
        store.redis.delete(line_key(box(store, "w", match), match))
    return found


def timers(store: Store, name: str, match: str) -> list[tuple[str, float]]:
    rows = store.redis.zrange(clocks_key(box(store, name, match)), 0, -1, withscores=True)
    return [(read_notice(row.split(b" ")[3]).share or "", at) for row, at in rows]


def test_clocks_warn_those_who_let_them_run(store: Store) -> None:
    wish(store, "w", "ann", ["clock.warning"], my_turn=True)
    table = Recorded(store, "ann bob", match="m", clock=ClockRule(per_move_s=100))
    project(store)
    begun = table.now
    assert timers(store, "w", "m") == [("half", begun + 50_000), ("tenth", begun + 90_000)]
    space = space_of_outbox(store.partition_of("m"))
    assert store.redis.zrange(clocks_key(space), 0, -1, withscores=True) == [(b"w", begun + 50_000)]
    table.wait(60)
    table.move(table.legal(0)[0])
    project(store)  # half was over already, and is still told; a tenth was not
    assert ("half", begun + 50_000) in timers(store, "w", "m")
    assert ("tenth", begun + 90_000) not in timers(store, "w", "m")
