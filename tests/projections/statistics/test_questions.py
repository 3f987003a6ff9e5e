"""Every metric by every dimension is what a recount of the facts of each match gives."""

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
from domain.analysis.intervals import of_mean, wilson
from domain.engine.game import Game
from domain.engine.options import own_to_modes
from domain.games import GAMES
from projections.statistics import storage
from projections.statistics.dimensions import NOTHING, dimensions_of, written
from projections.statistics.metrics import metrics_of
from projections.statistics.queries import (
    Answer,
    Filter,
    Question,
    TooManyGroups,
    answers,
    matches_in,
)
from projections.statistics.table import Table
from tests.engine.toy import GAME as TOY
from tests.projections.statistics.various import various

EVERY = pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
Recount = Callable[[Facts, int], Any]


class Sum(Struct, frozen=True):
    """What an analysis says of a seat."""

    luck: float
    accuracy: float | None
    error: float


def analysed(facts: Facts) -> Sequence[Sum] | None:
    """What the analysis of every third match says."""
    number = int(facts.match[1:])
    if number % 3:
        return None
    return [
        Sum(number / 100 - seat / 10, None if seat == 1 else 50 + number, seat / 100)
        for seat in range(len(facts.seats))
    ]


def told(facts: Facts, seat: int, what: str) -> float | None:
    found = analysed(facts)
    return None if found is None else getattr(found[seat], what)


def who(facts: Facts, seat: int) -> str:
    one = facts.seats[seat]
    return one.player or f"bot:{one.bot}"


def opponents(facts: Facts, seat: int) -> set[str]:
    """Whoever holds several seats is nobody's opponent there but that of the others."""
    others = [one for other, one in enumerate(facts.seats) if other != seat]
    mine = facts.seats[seat].player
    return {one.player or f"bot:{one.bot}" for one in others if not mine or one.player != mine}


def best_other(facts: Facts, seat: int) -> int:
    return max(one.points for n, one in enumerate(facts.seats) if n != seat)


def margin(facts: Facts) -> int | None:
    staying = sorted(one.points for one in facts.seats if not one.resigned)
    return staying[-1] - staying[-2] if len(staying) > 1 else None


def begun(facts: Facts) -> str:
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
    """By name, the values that a seat has."""
    modes = own_to_modes(game.options)
    single: dict[str, Recount] = {
        "seats": lambda facts, _: len(facts.seats),
        "end": lambda facts, _: facts.end,
        "month": lambda facts, _: datetime.fromtimestamp(facts.ended / 1000, UTC).isoformat()[:7],
        "rules": lambda facts, _: facts.rules,
        "begun": lambda facts, _: begun(facts),
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
    """By name, the number of a match or a seat."""

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
        "luck": lambda facts, seat: told(facts, seat, "luck"),
        "accuracy": lambda facts, seat: told(facts, seat, "accuracy"),
        "error": lambda facts, seat: told(facts, seat, "error"),
    }
    for name in facts.seats[0].breakdown:
        found[f"category.{name}"] = lambda facts, seat, name=name: facts.seats[seat].breakdown[name]
        found[f"share.{name}"] = share_of(name)
    return found


OF_MATCH = {"matches", "margin", "length", "minutes", "undos"}
SHARES = {"win_rate", "undo_rate", "timeout_rate", "resignation_rate"}


@cache
def table_of(game: Game[Any]) -> Table:
    """Its facts as they are stored and read, with what analyses say."""
    table = Table()
    rows = [storage.write(storage.row_of(one)).encode() for one in various(game)]
    table.put(list(map(storage.read, rows)))
    for one in various(game):
        if found := analysed(one):
            table.note(one.match, found)
    return table


def asked(game: Game[Any], metric: str, *by: str, **more: Any) -> dict[Any, Answer]:
    """What is answered, by key."""
    known = dimensions_of(game)
    question = Question(
        (metrics_of(game)[metric],), tuple(known[name] for name in by), include=ALL, **more
    )
    return {one.key: one for one in answers(table_of(game), question, lambda: None)}


def test_nobody_is_their_own_opponent() -> None:
    facts = various(GAMES["qin"])[0]
    seats = tuple(replace(one, player="u1", bot=None) for one in facts.seats)
    assert [seat.has[OTHERS] for seat in storage.row_of(replace(facts, seats=seats)).seats] == [
        ""
    ] * len(seats)
    bots = tuple(replace(one, player=None, bot="li_mu") for one in facts.seats)
    assert {seat.has[OTHERS] for seat in storage.row_of(replace(facts, seats=bots)).seats} == {
        "bot:li_mu"
    }


OTHERS = storage.OF_SEAT.index("others")
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
            found = asked(game, metric, by)
            assert set(found) == set(groups), (metric, by)
            for key, numbers in groups.items():
                compare(
                    found[key], [measured[n].get(metric) for n in _counted(game, metric, numbers)]
                )


def _counted(game: Game[Any], metric: str, numbers: Sequence[int]) -> Sequence[int]:
    """Of these seats those that count: of each match one, if matches are what is counted."""
    if metric not in OF_MATCH:
        return numbers
    return list({cases(game)[n][0].match: n for n in numbers}.values())


def compare(one: Answer, values: Sequence[float | None]) -> None:
    """The value is what these numbers give, and the interval is around it."""
    numbers = [float(value) for value in values if value is not None]
    n = len(numbers)
    assert (one.of, one.n) == (len(values), n)
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
            wilson(sum(numbers), n)
            if one.metric in SHARES
            else of_mean(n, sum(numbers), sum(number * number for number in numbers))
        )
        assert (one.low, one.high) == pytest.approx(bounds or (None, None), rel=1e-3, abs=1e-3)


@EVERY
def test_every_filter_leaves_what_it_names(game: Game[Any]) -> None:
    known = dimensions_of(game)
    for name, values in dimensions(game).items():
        seats = [
            {written(value) for value in values(facts, seat)}
            for facts in various(game)
            for seat in range(len(facts.seats))
        ]
        for text in set().union(*seats):
            assert known[name].takes(text), (name, text)
            only = (Filter(known[name], frozenset({text})),)
            found = asked(game, "score", filters=only)
            assert found[()].of == sum(text in here for here in seats), (name, text)


@EVERY
def test_two_dimensions_tell_apart_what_both_do(game: Game[Any]) -> None:
    found = asked(game, "score", "seats", "opponent")
    expected: dict[Any, int] = {}
    for facts in various(game):
        for seat in range(len(facts.seats)):
            for other in opponents(facts, seat):
                key = len(facts.seats), other
                expected[key] = expected.get(key, 0) + 1
    assert {key: one.n for key, one in found.items()} == expected


def test_a_list_of_values_means_any_of_them() -> None:
    game = GAMES["qin"]
    seat = dimensions_of(game)["seat"]
    several = asked(game, "score", filters=(Filter(seat, frozenset({"0", "1"})),))
    alone = asked(game, "score", "seat")
    assert several[()].n == alone[0,].n + alone[1,].n


def test_what_did_not_begin_as_usual_counts_only_if_asked_for() -> None:
    game = GAMES["qin"]
    matches = metrics_of(game)["matches"]
    facts = various(game)
    for include in (set(), {"seed"}, {"seed", "fork"}, {"position"}, {"forfeit"}):
        question = Question((matches,), include=frozenset(include))
        expected = sum(begun(one) in {"usual", *include} for one in facts)
        [found] = answers(table_of(game), question, lambda: None)
        assert found.value == expected
        assert matches_in(table_of(game), question, lambda: None) == expected


def test_months_are_counted_from_and_to() -> None:
    game = GAMES["qin"]
    by_month = {key[0]: one.n for key, one in asked(game, "matches", "month").items()}
    first, *_, last = sorted(by_month)
    assert first < last
    assert asked(game, "matches", since=last)[()].n == by_month[last]
    assert asked(game, "matches", until=first)[()].n == by_month[first]
    assert asked(game, "matches", since=first, until=last)[()].n == sum(by_month.values())


def test_a_match_that_is_told_again_takes_its_own_place() -> None:
    """In whatever portions and however often."""
    game, facts = GAMES["qin"], various(GAMES["qin"])
    table, early = Table(), Table()
    early.put([storage.row_of(_unrated(one)) for one in facts])
    for one in facts:
        early.put([storage.row_of(one)])
    table.put([storage.row_of(one) for one in facts])
    for name in ("rating", "rated", "seat"):
        question = Question((metrics_of(game)["score"],), (dimensions_of(game)[name],), include=ALL)
        found = [
            {one.key: one for one in answers(each, question, lambda: None)}
            for each in (table, early)
        ]
        assert found[0] == found[1]


def _unrated(facts: Facts) -> Facts:
    return replace(facts, seats=tuple(replace(seat, rating=None) for seat in facts.seats))


def test_too_many_groups_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.statistics.queries.MOST_GROUPS", 3)
    with pytest.raises(TooManyGroups):
        asked(GAMES["qin"], "score", "seat", "player")


def test_others_get_their_turn_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.statistics.queries.AT_ONCE", 7)
    game, turns = GAMES["qin"], []
    question = Question((metrics_of(game)["length"],), (dimensions_of(game)["seats"],), include=ALL)
    table = table_of(game)
    small = answers(table, question, lambda: turns.append(1))
    assert len(turns) >= 2 * table.rows / 7
    monkeypatch.setattr("projections.statistics.queries.AT_ONCE", 1_000)
    large = answers(table, question, lambda: None)
    assert {one.key: one for one in small} == {one.key: one for one in large}


def test_none_is_the_name_of_what_has_no_value() -> None:
    level = dimensions_of(GAMES["qin"])["level"]
    assert level.takes(NOTHING)
    people = asked(GAMES["qin"], "score", filters=(Filter(level, frozenset({NOTHING})),))
    assert people[()].n == asked(GAMES["qin"], "score", "who")["person",].n
