"""How many of a player's last matches with other people they finished without a time-out."""

from __future__ import annotations

from typing import Any

import pytest

from domain.match.decisions import ending
from domain.match.events import TimeReturned
from domain.match.log import Draft
from projections.lists import reliability
from projections.lists.reliability import Reliability, read_reliability
from service.store.event_store import EventStore
from tests.match.table import challenge, clock
from tests.projections.recorded import RecordedMatch, fold_all

LATE: dict[str, Any] = {"position": challenge(), "clock": clock(bank=9)}
"""Seat 0 decides first."""


def play(store: EventStore, name: str, seats: str = "ann bob", **more: Any) -> None:
    RecordedMatch(store, seats, match=name, **more).play_out()


def be_late(store: EventStore, name: str, **more: Any) -> RecordedMatch:
    table = RecordedMatch(store, "ann bob", match=name, **LATE, **more)
    table.wait(10).time_out()
    return table


def read_both(store: EventStore) -> list[Reliability]:
    fold_all(store)
    return [read_reliability(store.redis, store.partitions, who) for who in ("ann", "bob")]


def test_who_resigns_or_plays_to_the_end_has_finished_and_who_is_late_has_not(
    store: EventStore,
) -> None:
    play(store, "whole", undo="free")  # whether it is rated does not matter
    RecordedMatch(store, "ann bob", match="resigned").resign("bob")
    late = be_late(store, "late")
    assert read_both(store) == [Reliability(3, 2), Reliability(2, 2)]
    late.play_out()
    assert read_both(store) == [Reliability(3, 2), Reliability(3, 3)]
    be_late(store, "given-up", on_timeout="resign")
    assert read_both(store) == [Reliability(4, 2), Reliability(4, 4)]


def test_only_public_matches_with_other_people_that_end_count(store: EventStore) -> None:
    play(store, "against-bots", "ann +easy")
    play(store, "hotseat", "ann ann")
    play(store, "secret", visibility="private")
    be_late(store, "secret-too", visibility="private")
    cancelled = RecordedMatch(store, "ann bob", match="cancelled")
    cancelled.act(ending.close(cancelled.match, "fault"), "system")
    assert read_both(store) == [Reliability(), Reliability()]


@pytest.mark.parametrize(("more", "unrated"), [({"clock": clock(9)}, "outage"), (LATE, "position")])
def test_a_time_out_of_an_outage_does_not_count(store: EventStore, more: Any, unrated: str) -> None:
    """Whether the match would be rated does not matter. A player who has moved again is late."""
    table = RecordedMatch(store, "ann bob", match="outage", **more)
    moved = RecordedMatch(store, "ann bob", match="moved", **LATE)
    for one in table, moved:
        one.act(Draft("TimeReturned", (TimeReturned(7),)), "system")
    table.wait(10).time_out()
    assert table.match.unrated == unrated
    assert read_both(store) == [Reliability(), Reliability()]
    moved.play(2).wait(10).time_out()
    assert read_both(store) == [Reliability(1, 0), Reliability()]


def test_the_last_matches_count(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reliability, "MAX_MATCHES", 3)
    be_late(store, "m0")
    for n in range(1, 5):
        RecordedMatch(store, "ann bob", match=f"m{n}").wait(60 * n).resign("bob")
        assert read_both(store)[0] == Reliability(min(3, n + 1), min(3, n))
