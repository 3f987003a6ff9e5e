"""Every metric by every dimension equals a recount of the facts of each match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from statistics import mean
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.analysis.facts import Facts
from domain.analysis.intervals import mean_interval, wilson_interval
from domain.engine.game import Game
from domain.engine.options import mode_specific_options
from domain.games import GAMES
from projections.statistics import storage
from projections.statistics.dimensions import NO_VALUE, dimensions_of, filter_text
from projections.statistics.metrics import metrics_of
from projections.statistics.queries import (
    Filter,
    MetricResult,
    StatisticsQuery,
    TooManyGroups,
    count_matches,
    evaluate,
)
from projections.statistics.table import Table
from tests.engine.toy import GAME as TOY
from tests.projections.statistics.various import various

EVERY = pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
Recount = Callable[[Facts, int], Any]


class Sum(Struct, frozen=True):
    """The sums of an analysis for a seat."""

    luck: float
    accuracy: float | None
    error: float


def analysis_of(facts: Facts) -> Sequence[Sum] | None:
    """The analysis of every third match."""
    number = int(facts.match[1:])
    if number % 3:
        return None
    return [
        Sum(number / 100 - seat / 10, None if seat == 1 else 50 + number, seat / 100)
        for seat in range(len(facts.seats))
    ]


def find_analysis(facts: Facts, seat: int, what: str) -> float | None:
    found = analysis_of(facts)
    return None if found is None else getattr(found[seat], what)


def who(facts: Facts, seat: int) -> str:
    one = facts.seats[seat]
    return one.player or f"bot:{one.bot}"


def opponents(facts: Facts, seat: int) -> set[str]:
    """A player with several seats is not their own opponent."""
    others = [one for other, one in enumerate(facts.seats) if other != seat]
    mine = facts.seats[seat].player
    return {one.player or f"bot:{one.bot}" for one in others if not mine or one.player != mine}


def best_other(facts: Facts, seat: int) -> int:
    return max(one.points for n, one in enumerate(facts.seats) if n != seat)


def margin(facts: Facts) -> int | None:
    staying = sorted(one.points for one in facts.seats if not one.resigned)
    return staying[-1] - staying[-2] if len(staying) > 1 else None


def beginning(facts: Facts) -> str:
    at_once = [one for one in facts.seats if one.resigned and one.decisions == 0]
    return "forfeit" if at_once else facts.given or "usual"


def band(facts: Facts, seat: int) -> str | None:
    rating = facts.seats[seat].rating
    if rating is None:
        return None
    mu = rating[0]
    if mu < 15:
        return "under 15"
    if mu >= 35:
        return "35 and above"
    low = int(mu // 5) * 5
    return f"{low} to {low + 5}"


def option(name: str, modes: Sequence[str] | None) -> Recount:
    def value(facts: Facts, _: int) -> str | None:
        if modes and facts.options["mode"] not in modes:
            return None
        chosen = facts.options[name]
        return chosen if isinstance(chosen, str) else storage._ENCODER.encode(chosen).decode()

    return value


def dimensions(game: Game[Any]) -> Mapping[str, Recount]:
    """The values of a seat, by the name of the dimension."""
    modes = mode_specific_options(game.options)
    single: dict[str, Recount] = {
        "seats": lambda facts, _: len(facts.seats),
        "end": lambda facts, _: facts.end,
        "month": lambda facts, _: datetime.fromtimestamp(facts.ended / 1000, UTC).isoformat()[:7],
        "rules": lambda facts, _: facts.rules,
        "begun": lambda facts, _: beginning(facts),
        "rated": lambda facts, _: facts.unrated or "yes",
        "seat": lambda _, seat: seat,
        "who": lambda facts, seat: "person" if facts.seats[seat].player else "bot",
        "level": lambda facts, seat: None if facts.seats[seat].player else facts.seats[seat].bot,
        "rating": band,
        "first": lambda facts, seat: facts.seats[seat].first or None,
        "result": lambda facts, seat: {0: "lost", 1: "won"}.get(facts.seats[seat].share, "shared"),
        "player": who,
        **{
            f"option.{name}": option(name, modes.get(name))
            for name in game.options.__struct_fields__
        },
    }
    return {
        **{name: lambda f, s, one=one: {one(f, s)} for name, one in single.items()},
        "opponent": opponents,
    }


def metrics(facts: Facts) -> Mapping[str, Recount]:
    """The numbers of a match or a seat, by the name of the metric."""

    def per_decision(facts: Facts, seat: int) -> float | None:
        one = facts.seats[seat]
        return one.ms / 1000 / one.decisions if one.decisions else None

    def share_of(name: str) -> Recount:
        def value(facts: Facts, seat: int) -> float | None:
            one = facts.seats[seat]
            return one.breakdown[name] / one.points if one.points > 0 else None

        return value

    found: dict[str, Recount] = {
        "matches": lambda *_: 1,
        "win_share": lambda facts, seat: facts.seats[seat].share * len(facts.seats),
        "win_rate": lambda facts, seat: facts.seats[seat].share,
        "score": lambda facts, seat: facts.seats[seat].points,
        "margin": lambda facts, _: margin(facts),
        "lead": lambda facts, seat: facts.seats[seat].points - best_other(facts, seat),
        "length": lambda facts, _: facts.decisions,
        "minutes": lambda facts, _: (facts.ended - facts.started) / 60_000,
        "decisions": lambda facts, seat: facts.seats[seat].decisions,
        "thinking_time": per_decision,
        "undo_rate": lambda facts, seat: facts.seats[seat].undos > 0,
        "undos": lambda facts, _: facts.undos,
        "timeout_rate": lambda facts, seat: facts.seats[seat].timed_out,
        "resignation_rate": lambda facts, seat: facts.seats[seat].resigned,
        "luck": lambda facts, seat: find_analysis(facts, seat, "luck"),
        "accuracy": lambda facts, seat: find_analysis(facts, seat, "accuracy"),
        "error": lambda facts, seat: find_analysis(facts, seat, "error"),
    }
    for name in facts.seats[0].breakdown:
        found[f"category.{name}"] = lambda facts, seat, name=name: facts.seats[seat].breakdown[name]
        found[f"share.{name}"] = share_of(name)
    return found


OF_MATCH = {"matches", "margin", "length", "minutes", "undos"}
SHARES = {"win_rate", "undo_rate", "timeout_rate", "resignation_rate"}


@cache
def table_of(game: Game[Any]) -> Table:
    """A table of these facts with their analyses."""
    table = Table()
    rows = [storage.write_row(storage.row_of(one)).encode() for one in various(game)]
    table.add(list(map(storage.read_row, rows)))
    for one in various(game):
        if found := analysis_of(one):
            table.add_analysis(one.match, found)
    return table


def answer(game: Game[Any], metric: str, *by: str, **more: Any) -> dict[Any, MetricResult]:
    """The results by key."""
    known = dimensions_of(game)
    question = StatisticsQuery(
        (metrics_of(game)[metric],), tuple(known[name] for name in by), include=ALL, **more
    )
    return {one.key: one for one in evaluate(table_of(game), question, lambda: None)}


def test_a_player_is_never_their_own_opponent() -> None:
    facts = various(GAMES["qin"])[0]
    seats = tuple(replace(one, player="u1", bot=None) for one in facts.seats)
    assert [seat.values[OTHERS] for seat in storage.row_of(replace(facts, seats=seats)).seats] == [
        ""
    ] * len(seats)
    bots = tuple(replace(one, player=None, bot="li_mu") for one in facts.seats)
    assert {seat.values[OTHERS] for seat in storage.row_of(replace(facts, seats=bots)).seats} == {
        "bot:li_mu"
    }


OTHERS = storage.SEAT_COLUMNS.index("others")
ALL = frozenset({"position", "seed", "fork", "forfeit"})


Case = tuple[Facts, int]


@cache
def cases(game: Game[Any]) -> list[Case]:
    """All seats."""
    return [(facts, seat) for facts in various(game) for seat in range(len(facts.seats))]


@EVERY
def test_every_metric_by_every_dimension(game: Game[Any]) -> None:
    known, names = metrics_of(game), dimensions(game)
    assert set(names) == set(dimensions_of(game))
    measured = [
        {name: one(facts, seat) for name, one in metrics(facts).items()}
        for facts, seat in cases(game)
    ]
    assert {name for one in measured for name in one} <= set(known)
    for by, dimension in names.items():
        groups: dict[Any, list[int]] = {}
        for number, case in enumerate(cases(game)):
            for value in dimension(*case):
                groups.setdefault((value,), []).append(number)
        for metric in known:
            found = answer(game, metric, by)
            assert set(found) == set(groups), (metric, by)
            for key, numbers in groups.items():
                compare(
                    found[key], [measured[n].get(metric) for n in _counting(game, metric, numbers)]
                )


def _counting(game: Game[Any], metric: str, numbers: Sequence[int]) -> Sequence[int]:
    """The seats that count; for a metric of matches one of each match."""
    if metric not in OF_MATCH:
        return numbers
    return list({cases(game)[n][0].match: n for n in numbers}.values())


def compare(one: MetricResult, values: Sequence[float | None]) -> None:
    """Check that the value follows from these numbers and that the interval contains it."""
    numbers = [float(value) for value in values if value is not None]
    n = len(numbers)
    assert (one.total, one.n) == (len(values), n)
    if one.metric == "matches":
        assert (one.value, one.low, one.high) == (n, None, None)
    elif not numbers:
        assert (one.value, one.low, one.high) == (None, None, None)
    elif one.metric == "win_share":
        assert one.raw == pytest.approx(mean(numbers), abs=1e-6)
        assert one.value == pytest.approx((sum(numbers) + 20) / (n + 20), abs=1e-6)
        assert one.low < one.value < one.high
    else:
        assert one.value == pytest.approx(mean(numbers), rel=1e-5, abs=1e-6)
        bounds = (
            wilson_interval(sum(numbers), n)
            if one.metric in SHARES
            else mean_interval(n, sum(numbers), sum(number * number for number in numbers))
        )
        assert (one.low, one.high) == pytest.approx(bounds or (None, None), rel=1e-3, abs=1e-3)


@EVERY
def test_a_filter_selects_its_values(game: Game[Any]) -> None:
    known = dimensions_of(game)
    for name, values in dimensions(game).items():
        seats = [
            {filter_text(value) for value in values(facts, seat)}
            for facts in various(game)
            for seat in range(len(facts.seats))
        ]
        for text in set().union(*seats):
            assert known[name].accepts(text), (name, text)
            only = (Filter(known[name], frozenset({text})),)
            found = answer(game, "score", filters=only)
            assert found[()].total == sum(text in here for here in seats), (name, text)


@EVERY
def test_two_dimensions_combine(game: Game[Any]) -> None:
    found = answer(game, "score", "seats", "opponent")
    expected: dict[Any, int] = {}
    for facts in various(game):
        for seat in range(len(facts.seats)):
            for other in opponents(facts, seat):
                key = len(facts.seats), other
                expected[key] = expected.get(key, 0) + 1
    assert {key: one.n for key, one in found.items()} == expected


def test_a_list_of_values_matches_any_of_them() -> None:
    game = GAMES["qin"]
    seat = dimensions_of(game)["seat"]
    several = answer(game, "score", filters=(Filter(seat, frozenset({"0", "1"})),))
    alone = answer(game, "score", "seat")
    assert several[()].n == alone[0,].n + alone[1,].n


def test_unusual_beginnings_count_only_on_request() -> None:
    game = GAMES["qin"]
    matches = metrics_of(game)["matches"]
    facts = various(game)
    for include in (set(), {"seed"}, {"seed", "fork"}, {"position"}, {"forfeit"}):
        question = StatisticsQuery((matches,), include=frozenset(include))
        expected = sum(beginning(one) in {"usual", *include} for one in facts)
        [found] = evaluate(table_of(game), question, lambda: None)
        assert found.value == expected
        assert count_matches(table_of(game), question, lambda: None) == expected


def test_months_have_a_first_and_a_last() -> None:
    game = GAMES["qin"]
    by_month = {key[0]: one.n for key, one in answer(game, "matches", "month").items()}
    first, *_, last = sorted(by_month)
    assert first < last
    assert answer(game, "matches", since=last)[()].n == by_month[last]
    assert answer(game, "matches", until=first)[()].n == by_month[first]
    assert answer(game, "matches", since=first, until=last)[()].n == sum(by_month.values())


def test_a_repeated_match_replaces_its_row() -> None:
    """In any batches and any number of times."""
    game, facts = GAMES["qin"], various(GAMES["qin"])
    table, early = Table(), Table()
    early.add([storage.row_of(_without_rating(one)) for one in facts])
    for one in facts:
        early.add([storage.row_of(one)])
    table.add([storage.row_of(one) for one in facts])
    for name in ("rating", "rated", "seat"):
        question = StatisticsQuery(
            (metrics_of(game)["score"],), (dimensions_of(game)[name],), include=ALL
        )
        found = [
            {one.key: one for one in evaluate(each, question, lambda: None)}
            for each in (table, early)
        ]
        assert found[0] == found[1]


def _without_rating(facts: Facts) -> Facts:
    return replace(facts, seats=tuple(replace(seat, rating=None) for seat in facts.seats))


def test_too_many_groups_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.statistics.queries.MAX_GROUPS", 3)
    with pytest.raises(TooManyGroups):
        answer(GAMES["qin"], "score", "seat", "player")


def test_a_query_pauses_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.statistics.queries.ROWS_PER_BATCH", 7)
    game, turns = GAMES["qin"], []
    question = StatisticsQuery(
        (metrics_of(game)["length"],), (dimensions_of(game)["seats"],), include=ALL
    )
    table = table_of(game)
    small = evaluate(table, question, lambda: turns.append(1))
    assert len(turns) >= 2 * table.rows / 7
    monkeypatch.setattr("projections.statistics.queries.ROWS_PER_BATCH", 1_000)
    large = evaluate(table, question, lambda: None)
    assert {one.key: one for one in small} == {one.key: one for one in large}


def test_none_is_the_text_of_a_missing_value() -> None:
    level = dimensions_of(GAMES["qin"])["level"]
    assert level.accepts(NO_VALUE)
    people = answer(GAMES["qin"], "score", filters=(Filter(level, frozenset({NO_VALUE})),))
    assert people[()].n == answer(GAMES["qin"], "score", "who")["person",].n
