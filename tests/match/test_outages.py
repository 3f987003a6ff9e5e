"""Outages: time in which the service could not be reached costs no player anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import pytest

from domain.audit.replay_rules import replay
from domain.engine.play import Move
from domain.match.decisions import absence, ending, lobby, pauses, playing, proposals
from domain.match.dice import commitment_to
from domain.match.errors import Impossible
from domain.match.events import Clocked, TimeReturned
from domain.match.log import make_entry
from domain.match.outages import Decision, Outage, decide, outage_ms
from domain.match.scheduled_work import DUE_NOW, QUEUE_OF, Work, due_work
from tests.match.table import FROM_ANYWHERE, NOON, Table, challenge, clock, kinds
from tests.support.for_each import for_each

LOST_MS = 45_000
NONCE = b"n" * 32
DEADLINES: Mapping[Work, Decision] = {
    "deadline": playing.time_out,
    "lapse": proposals.lapse_request,
    "resume": pauses.resume_in_time,
    "begin": lobby.begin,
    "abort": lobby.abort,
    "abandon": ending.abandon,
    "patience": absence.end_patience,
}


def thinking(**rule: int) -> Table:
    """Seat 0 thinks, with a clock."""
    return Table("ann bob", position=challenge(), clock=clock(**rule), substitute="easy")


def asking() -> Table:
    """A player has asked for an undo, with a clock that runs meanwhile."""
    table = Table("ann bob cid", clock=clock(bank=900)).wait(1).play(2)
    table.undo("ann")
    return table


def proposing() -> Table:
    """A player proposes to end the match."""
    table = Table("ann bob cid")
    table.act(proposals.propose(table.match, "ann", "end", table.now), "ann")
    return table


def pausing() -> Table:
    """A player has paused the match."""
    table = Table("ann ann", clock=clock(bank=900))
    table.act(proposals.propose(table.match, "ann", "pause", table.now), "ann")
    return table


WAITING: Mapping[str, tuple[Work, Callable[[], Table]]] = {
    "bank and increment": ("deadline", lambda: thinking(bank=30, increment=5)),
    "time per move": ("deadline", lambda: thinking(per_move=30)),
    "undo request": ("lapse", asking),
    "nonce": ("begin", lambda: Table("ann bob", promised=commitment_to(NONCE))),
    "proposal": ("lapse", proposing),
    "pause": ("resume", pausing),
    "open table": ("abort", lambda: Table("ann .")),
    "patience": ("patience", lambda: Table("ann bob", patience_ms=100_000)),
    "only player": ("abandon", lambda: Table("ann ann", idle_ms=100_000)),  # in steps of 1 s
}
"""Matches that wait for a time, and what happens then."""


def outage(table: Table) -> list[Outage]:
    """Let an outage begin 20 s after the last entry and pass, and 2 s more."""
    start = table.now + 20_000
    table.wait((20_000 + LOST_MS + 2_000) / 1000)
    return [Outage(start, start + LOST_MS)]


def choosing(**rule: int) -> Table:
    """All seats choose at once, in a match that counts."""
    return Table("ann bob", clock=clock(**rule), substitute="easy")


def return_time(table: Table, work: Work, outages: list[Outage]) -> list[Any]:
    """Record what the job of this work decides."""
    return table.act(decide(table.match, DEADLINES[work], table.now, outages), "system")


def moving(choice: Move) -> Decision:
    return lambda match, now: playing.move(match, choice, now)


def test_every_kind_of_deadline_is_tested_here() -> None:
    timed = {work for work, queue in QUEUE_OF.items() if queue == "deadlines"}
    assert timed == set(DEADLINES) == {work for work, _ in WAITING.values()}


@for_each(("work", "opened"), WAITING.values())
def test_an_outage_moves_the_deadline_by_its_length(
    work: Work, opened: Callable[[], Table]
) -> None:
    table = opened()
    before = due_work(table.match)
    outages = outage(table)
    assert return_time(table, work, outages) == [TimeReturned(LOST_MS)]
    assert table.entries[-1].kind == "TimeReturned"
    after = due_work(table.match)
    moved = {name: at + LOST_MS for name, at in before.items() if at > DUE_NOW}
    assert {name: at for name, at in after.items() if at > DUE_NOW} == moved
    table.now = after[work] - 1
    with pytest.raises(Impossible):
        return_time(table, work, outages)
    table.now = after[work]
    assert not isinstance(return_time(table, work, outages)[0], TimeReturned)
    assert work not in due_work(table.match)


@for_each(("work", "opened"), WAITING.values())
def test_no_time_in_a_match_is_forgotten(work: Work, opened: Callable[[], Table]) -> None:
    """Whatever a match will wait for in the future, an outage has to move it, too."""
    table = opened()
    before = dict(times(vars(table.match)))
    return_time(table, work, outage(table))
    assert before
    assert dict(times(vars(table.match))) == {name: at + LOST_MS for name, at in before.items()}


def times(value: object, name: str = "") -> Iterator[tuple[str, int]]:
    """All times in a match, without those of its entries."""
    match value:
        case int() if abs(value - NOON) < 10**9:
            yield name, value
        case dict():
            for key, one in value.items():
                if key not in ("created_at", "updated_at", "line", "undone"):
                    yield from times(one, f"{name}.{key}")
        case msgspec.Struct():
            yield from times(msgspec.structs.asdict(value), name)
        case list() | tuple() | set() | frozenset():
            for number, one in enumerate(value):
                yield from times(one, f"{name}.{number}")


@for_each(("work", "opened"), WAITING.values())
def test_an_auditor_follows(work: Work, opened: Callable[[], Table]) -> None:
    table = opened()
    return_time(table, work, outage(table))
    table.now = due_work(table.match)[work]
    return_time(table, work, [])
    assert mismatches(table) == []


def test_an_auditor_sees_that_more_time_was_returned_than_had_passed() -> None:
    table = thinking(bank=30)
    outages = outage(table)
    draft = decide(table.match, playing.time_out, table.now, outages)
    for ms in (0, -1, LOST_MS + 22_001):
        forged = msgspec.structs.replace(draft, events=(TimeReturned(ms),))
        last = make_entry(forged, 2, "system", table.now, table.game.rules)
        found = list(replay({table.game.key: table.game}, [*table.entries, last]))
        assert found[-1].mismatch, ms
        assert "more time than has passed" in found[-1].mismatch.reason


def mismatches(table: Table) -> list[object]:
    found = replay({FROM_ANYWHERE.key: FROM_ANYWHERE}, table.entries)
    return [entry.mismatch for entry in found if entry.mismatch]


@pytest.mark.parametrize(
    ("rule", "left"),
    [({"bank": 30, "increment": 5}, [13, 30]), ({"per_move": 30}, [8, 30])],
    ids=["bank", "per move"],
)
def test_a_move_after_an_outage_costs_what_the_player_could_think(
    rule: dict[str, int], left: list[int]
) -> None:
    table = thinking(**rule)
    outages = outage(table)
    draft = decide(table.match, moving(table.legal(0)[1]), table.now, outages)
    first, *_, clocked = table.act(draft, "ann")
    assert first == TimeReturned(LOST_MS)
    assert isinstance(clocked, Clocked)
    assert table.bank == left
    assert mismatches(table) == []


def test_an_outage_counts_once_however_many_entries_follow() -> None:
    table = thinking(bank=300)
    outages = outage(table)
    return_time(table, "deadline", outages)
    assert table.match.clocks
    deadline = table.match.clocks.deadline
    table.wait(7)
    with pytest.raises(Impossible):
        return_time(table, "deadline", outages)
    assert table.match.clocks.deadline == deadline


def test_a_match_that_waits_for_no_time_gets_no_time_back() -> None:
    table = Table("ann bob", position=challenge())
    outages = outage(table)
    draft = decide(table.match, moving(table.legal(0)[1]), table.now, outages)
    assert not any(isinstance(event, TimeReturned) for event in draft.events)


# What comes of an outage is unrated


def test_time_that_runs_out_in_a_turn_with_an_outage_leaves_the_match_unrated() -> None:
    table = choosing(bank=30)
    return_time(table, "deadline", outage(table))
    table.wait(30)
    ended = kinds(return_time(table, "deadline", []))
    assert ended == ["TimedOut", "TimedOut", "Unrated", "BotSeated", "BotSeated"]
    assert table.match.unrated == "outage"
    assert mismatches(table) == []


def test_also_if_it_runs_out_in_the_entry_that_returns_the_time() -> None:
    table = choosing(bank=21)
    ended = kinds(return_time(table, "deadline", outage(table)))
    assert ended[:4] == ["TimeReturned", "TimedOut", "TimedOut", "Unrated"]


def test_a_player_who_has_moved_since_can_lose_on_time() -> None:
    table = choosing(bank=30, increment=30)
    outages = outage(table)
    for seat in (0, 1):
        decision = moving(table.legal(seat)[0])
        table.act(decide(table.match, decision, table.now, outages), table.who(seat))
    assert len(table.match.line) == 3
    table.wait(60)
    assert "Unrated" not in kinds(return_time(table, "deadline", []))


@for_each(
    ("since", "until", "lost"),
    [(0, 10, 0), (0, 15, 5), (12, 15, 3), (12, 40, 18), (0, 50, 25), (21, 29, 0), (60, 50, 0)],
)
def test_only_what_overlaps_is_lost(since: int, until: int, lost: int) -> None:
    assert outage_ms([Outage(10, 20), Outage(30, 40), Outage(45, 50)], since, until) == lost
