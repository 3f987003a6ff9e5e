"""The final score, the ratings, and the series."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.scoring import Line, Scoring
from domain.games.qin import GAME as QIN
from domain.match.decisions import ending, lobby
from domain.match.errors import Impossible
from domain.match.events import Ended, Scored
from domain.match.log import Draft
from domain.match.state import SeriesPlace
from tests.match.table import SEED, Table, challenge, clock

SERIES = {"series": ["bird", "lion"]}


def scored(table: Table) -> Table:
    """The match with its final score."""
    table.act(ending.score(table.match), "system")
    return table


def test_the_score_is_that_of_the_game_with_the_seed() -> None:
    table = Table("ann bob", options={"rounds": 1}).play_out()
    expected = table.game.scoring(table.match.state)
    [event] = table.act(ending.score(table.match), "system")
    assert event == Scored(expected, SEED.hex(), None)
    assert (table.match.status, table.match.scoring) == ("scored", expected)
    assert ending.places(table.match) == list(expected.lines)


@pytest.mark.parametrize("seats", ["ann .", "ann bob"])
def test_nothing_is_scored_before_the_end(seats: str) -> None:
    with pytest.raises(Impossible) as refused:
        ending.score(Table(seats).match)
    assert refused.value.code == "not_due"


def test_nothing_is_scored_or_rated_twice() -> None:
    table = Table("ann bob")
    table.resign("ann")
    with pytest.raises(Impossible):
        ending.rate(table.match, ())
    scored(table)
    with pytest.raises(Impossible):
        ending.score(table.match)
    table.act(ending.rate(table.match, ()), "system")
    assert table.match.rated
    with pytest.raises(Impossible):
        ending.rate(table.match, ())


@pytest.mark.parametrize(
    ("seats", "more"),
    [
        ("ann ann", {}),
        ("ann bob", {"seed_given": True}),
        ("ann bob", {"undo": "free"}),
        ("ann bob", {"position": challenge()}),
    ],
)
def test_what_does_not_count_cannot_be_rated(seats: str, more: Any) -> None:
    table = Table(seats, **more)
    table.resign("ann")
    scored(table)
    assert not ending.rateable(table.match)
    with pytest.raises(Impossible):
        ending.rate(table.match, ())


def test_bots_are_rated_by_their_level_and_people_also_for_what_a_bot_did_for_them() -> None:
    table = Table("ann bob +easy", clock=clock(per_move=60)).play().wait(60)
    table.time_out()
    table.resign("ann")
    assert ending.competitors(table.match) == ["ann", "bob", "bot:easy"]


def test_an_aborted_match_is_neither_scored_nor_rated() -> None:
    table = Table("ann .")
    table.act(lobby.leave_seat(table.match, "ann", 0), "ann")
    with pytest.raises(Impossible):
        ending.score(table.match)
    assert not ending.rateable(table.match)


def test_those_who_resigned_share_the_last_places_in_the_order_of_their_scores() -> None:
    table = Table("ann bob cid dan", position=challenge((5, 1, 9, 5)))
    table.resign("cid")
    table.resign("bob")
    table.play_out()
    ranks = [line.rank for line in ending.final(table.match).lines]
    assert ranks[2] == 3
    assert ranks[1] == 4


# Series, as in chapter 11 of the rules of Qin


def series(**more: Any) -> Table:
    """The first of two matches."""
    return Table("ann bob", game=QIN, options=SERIES, **more)


def following(table: Table) -> Table:
    """The match after this one, as the service opens it."""
    planned = ending.sequel(table.match, table.now)
    assert planned
    after = Table.__new__(Table)
    after.game, after.now, after.entries = table.game, table.now, []
    after.match = type(table.match)(table.game, SEED)
    after.act(lobby.create(table.game, planned, SEED, table.now), "system", secret=SEED)
    return after


def test_a_single_match_is_not_a_series() -> None:
    table = Table("ann bob", game=QIN)
    table.resign("ann")
    scored(table)
    assert (table.match.series, table.match.series_score) == (None, None)
    assert ending.sequel(table.match, 0) is None
    with pytest.raises(Impossible):
        ending.continued(table.match, "m-2")


def test_the_first_match_of_a_series_starts_it_at_nothing() -> None:
    table = series()
    assert table.match.series == SeriesPlace("m", 1, (0, 0))
    assert ending.sequel(table.match, 0) is None


def test_the_next_match_is_linked_once() -> None:
    table = series()
    table.resign("ann")
    with pytest.raises(Impossible):
        ending.continued(table.match, "m-2")
    scored(table).act(ending.continued(table.match, "m-2"), "system")
    assert table.match.next_match == "m-2"
    with pytest.raises(Impossible):
        ending.continued(table.match, "m-2")


def test_the_next_match_has_the_same_seats_and_terms_and_begins_with_the_next_seat() -> None:
    table = series(clock=clock(bank=900, increment=5), visibility="private", undo="off")
    first = table.match.awaited[0]
    table.play_out()
    after = following(scored(table))
    assert (after.match.id, after.match.status, after.match.version) == ("m-2", "active", 1)
    assert after.match.awaited == ((first + 1) % 2,)
    assert after.match.chairs == table.match.chairs
    for term in ("host", "clock_rule", "visibility", "undo_policy", "on_timeout", "substitute"):
        assert getattr(after.match, term) == getattr(table.match, term)
    assert after.match.setup.board == "lion"


def test_penalties_add_up_and_the_lowest_total_wins() -> None:
    table = scored(series().play_out())
    assert table.match.series_score
    one = table.match.series_score
    assert (one.number, one.over, one.winners) == (1, False, ())
    assert one.penalties == one.totals == tuple(table.match.state.supply)
    after = scored(following(table).play_out())
    assert after.match.series_score
    two = after.match.series_score
    assert two.totals == tuple(a + b for a, b in zip(one.totals, two.penalties, strict=True))
    assert (two.id, two.number, two.over) == ("m", 2, True)
    assert two.winners == tuple(s for s in (0, 1) if two.totals[s] == min(two.totals))
    assert ending.sequel(after.match, 0) is None


def last_of_series(penalties: tuple[int, ...], resigned: tuple[int, ...] = ()) -> Table:
    """The last match of a series that came to this so far."""
    place = SeriesPlace("m", 2, penalties, resigned)
    seats = " ".join(("ann", "bob", "cid")[: len(penalties)])
    return Table(seats, game=QIN, options={"series": ["lion"]}, series=place, match="m-2")


def test_a_series_can_be_won_by_several() -> None:
    table = last_of_series((4, 4, 1))
    table.resign("cid")
    table.act(ended(table), "system")
    scored(table)
    assert table.match.series_score
    assert len(set(table.match.series_score.penalties)) == 1
    assert table.match.series_score.winners == (0, 1)


def ended(table: Table) -> Draft:
    """The end, before anybody has placed anything."""
    assert table.match.status == "active"
    return Draft("Ended", (Ended("rules"),))


def test_nobody_wins_a_series_by_resigning_while_in_the_lead() -> None:
    table = last_of_series((0, 10))
    table.resign("ann")
    scored(table)
    assert table.match.series_score
    assert table.match.series_score.winners == (1,)


def test_whoever_resigned_in_an_earlier_match_of_a_series_cannot_win_it() -> None:
    table = series()
    table.resign("ann")
    after = following(scored(table))
    assert after.match.series
    assert after.match.series.resigned == (0,)
    assert not after.match.chairs[0].resigned
    after.resign("bob")
    scored(after)
    assert after.match.series_score
    assert (after.match.series_score.resigned, after.match.series_score.over) == ((0, 1), True)
    assert after.match.series_score.winners == (0, 1)


def test_a_player_whose_bot_played_on_is_back_for_the_next_match() -> None:
    table = series(clock=clock(bank=1)).wait(1)
    table.time_out()
    assert [chair.bot is None for chair in table.match.chairs].count(True) == 1
    after = following(scored(table.play_out()))
    assert [chair.bot for chair in after.match.chairs] == [None, None]


def test_the_score_keeps_the_breakdown_of_the_game() -> None:
    table = Table("ann bob", position=challenge((2, 1)))
    table.resign("bob")
    assert ending.final(table.match) == Scoring(
        "resignation", (Line(0, 1, 2, {"prizes": 2}), Line(1, 2, 1, {"prizes": 1}))
    )
