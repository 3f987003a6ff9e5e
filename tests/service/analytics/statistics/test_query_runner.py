"""Queries run one at a time, from facts cached in memory, within a time limit."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest
from msgspec.structs import replace
from redis import Redis

from domain.analysis.analysis import METHOD_VERSION, Analysis, SeatAnalysis
from domain.analysis.facts import Facts
from domain.games import GAMES
from projections.analyses import store_analysis
from projections.core.months import month_of
from projections.core.spaces import space_of
from projections.statistics import STATISTICS, folding
from projections.statistics.queries import StatisticsQuery
from service.analytics.statistics import columns, query_runner
from service.analytics.statistics.query_parser import parse, vocabulary_of
from service.analytics.statistics.query_runner import QueryResult, Statistics
from service.analytics.statistics.time_slices import TimeSlices
from service.matches.container import Annals, open_annals
from service.runtime.errors import StatisticsBusy, TooWide
from service.runtime.settings import Settings
from service.runtime.shares.fair_queue import Payer
from tests.projections.statistics.various import various

QIN = GAMES["qin"]
EVERY = "seed,position,fork,forfeit"


@pytest.fixture
def annals(redis_client: Redis, redis_url: str) -> Annals:
    return open_annals(Settings(redis_url=redis_url, events_url=redis_url, queue_url=redis_url))


def question(**given: str) -> StatisticsQuery:
    asked = {"include": EVERY, **given}
    return parse(
        {name: [text] for name, text in asked.items()}, vocabulary_of(QIN), ("matches",)
    ).query


class FactStore:
    """Facts in a store, as if a worker had folded them one after the other."""

    def __init__(self, annals: Annals) -> None:
        self.annals = annals
        self.position = 0

    def put(self, some: Sequence[Facts]) -> None:
        store = self.annals.store
        for facts in some:
            self.position += 1
            space = space_of(store.partition_of(facts.match), STATISTICS, 0)
            for command in folding.store_facts(space, facts, self.position):
                store.redis.execute_command(*command)


@pytest.fixture
def fact_store(annals: Annals) -> FactStore:
    found = FactStore(annals)
    found.put(various(QIN))
    return found


def first_value(received: QueryResult) -> float | None:
    return received.answers[0].value if received.answers else 0


def nothing() -> Payer:
    """Count nothing."""
    return Payer("192.0.2.1", "ann")


def test_only_new_facts_are_read(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_again: list[int] = []
    real = columns.read_rows

    def rows_at(redis: Redis, places: Any) -> list[bytes]:
        read_again.append(len(places))
        return real(redis, places)

    monkeypatch.setattr(columns, "read_rows", rows_at)
    statistics, facts = Statistics(annals, 1_000), various(QIN)
    assert first_value(statistics.of_game(QIN, question(), nothing)) == len(facts)
    assert sum(read_again) == len(facts)
    fact_store.put([replace(facts[0], match="new"), replace(facts[1], undos=99)])
    assert first_value(statistics.of_game(QIN, question(), nothing)) == len(facts) + 1
    assert sum(read_again) == len(facts) + 2


def test_small_pages_find_the_same(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = Statistics(annals, 1_000).of_game(QIN, question(metric="score", by="month"), nothing)
    monkeypatch.setattr(columns, "ROWS_PER_READ", 3)
    monkeypatch.setattr(columns, "ROWS_PER_SLICE", 2)
    found = Statistics(annals, 1_000).of_game(QIN, question(metric="score", by="month"), nothing)
    assert {one.key: one for one in found.answers} == {one.key: one for one in expected.answers}
    assert found.complete


def test_the_same_question_is_worked_out_once(annals: Annals, fact_store: FactStore) -> None:
    statistics, worked = Statistics(annals, 1_000), list[int]()
    for _ in range(3):
        statistics.of_game(QIN, question(by="seat"), lambda: worked.append(1) or nothing())
    assert len(worked) == 1
    statistics.of_game(QIN, question(by="seats"), lambda: worked.append(1) or nothing())
    assert len(worked) == 2
    fact_store.put([replace(various(QIN)[0], match="new")])
    statistics.of_game(QIN, question(by="seat"), lambda: worked.append(1) or nothing())
    assert len(worked) == 3


def test_the_cache_of_answers_is_bounded(annals: Annals, fact_store: FactStore) -> None:
    statistics = Statistics(annals, 20)
    for by in ("seat", "seats", "month", "player"):
        assert statistics.of_game(QIN, question(by=by), nothing).answers
    assert sum(len(one.result.answers) for one in statistics._results.values()) <= 10


def test_stale_answers_are_dropped(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    statistics = Statistics(annals, 1_000)
    for seat in range(3):
        statistics.of_game(QIN, question(seat=str(seat)), nothing)
    assert len(statistics._results) == 3
    later = monotonic() + 2 * query_runner.ANALYSES_CACHE_S
    monkeypatch.setattr(query_runner, "monotonic", lambda: later)
    statistics.of_game(QIN, question(by="seat"), nothing)
    assert len(statistics._results) == 1


def test_of_too_many_matches_the_latest_are_looked_at(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "ROWS_PER_READ", 1)
    statistics = Statistics(annals, 5)
    months = sorted({month_of(one.ended) for one in various(QIN)})
    received = statistics.of_game(QIN, question(by="month"), nothing)
    assert not received.complete
    assert 5 <= received.matches < len(various(QIN))
    assert max(one.key[0] for one in received.answers) == months[-1]
    assert months[0] not in {one.key[0] for one in received.answers}


def test_the_cache_makes_room_for_the_current_query(annals: Annals, fact_store: FactStore) -> None:
    """The cache drops facts of other months and games."""
    other = GAMES["chang_cheng"]
    fact_store.put(various(other))
    months = sorted({month_of(one.ended) for one in various(QIN)})
    sizes = {month: sum(month_of(one.ended) == month for one in various(QIN)) for month in months}
    statistics = Statistics(annals, len(various(QIN)) - 1)
    for month in (months[-1], months[0], months[-1]):
        received = statistics.of_game(QIN, question(since=month, until=month), nothing)
        assert received.complete
        assert first_value(received) == sizes[month]
    asked = parse({"include": [EVERY]}, vocabulary_of(other), ("matches",)).query
    assert first_value(statistics.of_game(other, asked, nothing)) == len(various(other))
    assert list(statistics._tables._games) == ["chang_cheng"]


def test_the_matches_of_a_player_and_of_two(annals: Annals, fact_store: FactStore) -> None:
    statistics, facts = Statistics(annals, 1_000), various(QIN)
    seats = {one.match: {seat.player for seat in one.seats} for one in facts}
    players = sorted({player for some in seats.values() for player in some if player})
    for player in players:
        received = statistics.of_player(player, None, None, question(), nothing)
        assert received.matches == sum(player in some for some in seats.values())
        for other in players:
            if other != player:
                both = statistics.of_player(player, other, "qin", question(), nothing)
                assert both.matches == sum({player, other} <= some for some in seats.values())
    assert statistics.of_player("u" + "9" * 16, None, None, question(), nothing).matches == 0
    assert statistics.of_player(players[0], None, "chang_cheng", question(), nothing).matches == 0


def test_bots_can_be_the_other(annals: Annals, fact_store: FactStore) -> None:
    statistics, facts = Statistics(annals, 1_000), various(QIN)
    player = next(seat.player for one in facts for seat in one.seats if seat.player)
    received = statistics.of_player(player, "bot:li_mu", None, question(), nothing)
    expected = sum(
        any(seat.player == player for seat in one.seats)
        and any(seat.player is None and seat.bot == "li_mu" for seat in one.seats)
        for one in facts
    )
    assert received.matches == expected > 0


def analysis(facts: Facts, luck: float) -> Analysis:
    """An analysis with this luck for every seat."""
    seat = SeatAnalysis(0.5, 1.0, luck, 0.1, 0.1, 0.9, None, 0.02)
    seats = tuple(seat for _ in facts.seats)
    return Analysis(facts.match, "qin", QIN.rules, METHOD_VERSION, 0, (), (), seats, (), ())


def test_analyses_count_as_they_come_and_it_is_said_over_how_many_they_are(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (query_runner, columns):
        monkeypatch.setattr(module, "ANALYSES_CACHE_S", -1.0)
    statistics, facts, store = Statistics(annals, 1_000), various(QIN), annals.store
    player = next(seat.player for one in facts for seat in one.seats if seat.player)
    seats = sum(len(one.seats) for one in facts)
    for number, one in enumerate(facts[:3]):
        [received] = statistics.of_game(QIN, question(metric="luck"), nothing).answers
        assert (received.n, received.total) == (
            sum(len(some.seats) for some in facts[:number]),
            seats,
        )
        store_analysis(store.redis, store.partition_of(one.match), QIN, analysis(one, 0.25))
    [received] = statistics.of_game(QIN, question(metric="luck"), nothing).answers
    assert received.value == pytest.approx(0.25)
    [none] = statistics.of_game(QIN, question(metric="accuracy"), nothing).answers
    assert (none.n, none.value) == (0, None)
    theirs = statistics.of_player(player, None, None, question(metric="luck"), nothing)
    expected = [one for one in facts[:3] if player in {seat.player for seat in one.seats}]
    assert theirs.answers[0].n == sum(len(one.seats) for one in expected)


def test_too_wide_a_question_is_refused_with_a_hint(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.statistics.queries.MAX_GROUPS", 2)
    with pytest.raises(TooWide, match="export"):
        Statistics(annals, 1_000).of_game(QIN, question(by="player"), nothing)


def test_no_query_waits_for_ever(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    statistics = Statistics(annals, 1_000)
    monkeypatch.setattr(
        "service.analytics.statistics.query_runner.TimeSlices", lambda: TimeSlices(-1.0)
    )
    with pytest.raises(StatisticsBusy, match=r"`since`.* export"):
        statistics.of_game(QIN, question(), nothing)
    monkeypatch.undo()
    assert first_value(statistics.of_game(QIN, question(), nothing)) == len(various(QIN))


def test_facts_read_before_a_timeout_stay_cached(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "ROWS_PER_READ", 4)
    statistics, calls = Statistics(annals, 1_000), list[int]()

    def impatient() -> None:
        calls.append(1)
        if len(calls) % 3 == 0:
            raise StatisticsBusy("")

    monkeypatch.setattr("service.analytics.statistics.query_runner.TimeSlices", lambda: impatient)
    sizes = []
    for _ in range(3):
        with pytest.raises(StatisticsBusy):
            statistics.of_game(QIN, question(), nothing)
        sizes.append(len(statistics._tables._games["qin"].table.first_rows))
    assert sizes == sorted(set(sizes))
    monkeypatch.undo()
    assert first_value(statistics.of_game(QIN, question(), nothing)) == len(various(QIN))


def test_one_question_is_worked_on_at_a_time_and_few_wait(
    annals: Annals, fact_store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_runner, "MAX_WAITING", 1)
    statistics, begun, go_on = Statistics(annals, 1_000), Event(), Event()
    real = statistics._tables.of_game

    def slow(*asked: Any) -> Any:
        begun.set()
        assert go_on.wait(10)
        return real(*asked)

    monkeypatch.setattr(statistics._tables, "of_game", slow)
    received: list[QueryResult] = []

    def ask(by: str) -> Thread:
        asked = question(by=by)
        thread = Thread(target=lambda: received.append(statistics.of_game(QIN, asked, nothing)))
        thread.start()
        return thread

    first = ask("seat")
    assert begun.wait(10)
    second = ask("seats")
    while not len(statistics._slots._queue):
        second.join(0.01)
    with pytest.raises(StatisticsBusy, match="wait"):
        statistics.of_game(QIN, question(by="month"), nothing)
    go_on.set()
    for thread in (first, second):
        thread.join(10)
    assert len(received) == 2
