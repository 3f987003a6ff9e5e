"""The final score, the ratings, and the series."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.engine.scoring import ScoreLine, Scoring
from domain.games.qin import GAME as QIN
from domain.match.decisions import ending, lobby, playing
from domain.match.errors import Impossible
from domain.match.events import Ended, Scored
from domain.match.log import Draft
from domain.match.social_events import ForcedMovePlayed
from domain.match.state import SeriesPlace
from tests.match.table import SEED, Table, challenge, clock
from tests.support.for_each import for_each

SERIES = {"series": ["bird", "lion"]}


def score_match(table: Table) -> Table:
    """Record the final score of the match."""
    table.act(ending.score(table.match), "system")
    return table


def test_the_score_is_that_of_the_game_with_the_seed() -> None:
    table = Table("ann bob", options={"rounds": 1}).play_out()
    expected = table.game.scoring(table.match.state)
    [event] = table.act(ending.score(table.match), "system")
    assert event == Scored(expected, SEED.hex(), None)
    assert (table.match.status, table.match.scoring) == ("scored", expected)
    assert ending.score_lines(table.match) == list(expected.lines)


@pytest.mark.parametrize("seats", ["ann .", "ann bob"])
def test_nothing_is_scored_before_the_end(seats: str) -> None:
    with pytest.raises(Impossible) as refused:
        ending.score(Table(seats).match)
    assert refused.value.code == "too_early"


def test_nothing_is_scored_or_rated_twice() -> None:
    table = Table("ann bob")
    table.resign("ann")
    with pytest.raises(Impossible):
        ending.rate(table.match, ())
    score_match(table)
    with pytest.raises(Impossible):
        ending.score(table.match)
    table.act(ending.rate(table.match, ()), "system")
    assert table.match.rated
    with pytest.raises(Impossible):
        ending.rate(table.match, ())


@for_each(
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
    score_match(table)
    assert not ending.is_rateable(table.match)
    with pytest.raises(Impossible):
        ending.rate(table.match, ())


def test_bots_are_rated_by_their_level_and_people_also_for_what_a_bot_did_for_them() -> None:
    table = Table("ann bob +easy", clock=clock(per_move=60)).play().wait(60)
    table.time_out()
    table.resign("ann")
    assert ending.competitors(table.match) == ["ann", "bob", "bot:easy"]


@for_each("leaver", ["ann", "bob", "cid"])  # cid sat down last: the game began then
def test_who_resigns_before_their_first_move_may_have_joined_by_accident(leaver: str) -> None:
    table = Table("ann bob cid")
    table.resign(leaver)
    assert ending.early_leavers(table.match) == {leaver}


@for_each("leaver", ["ann", "bob", "cid"])
def test_nor_has_who_left_before_it_won_or_lost_by_the_bot_that_took_over(leaver: str) -> None:
    table = Table("ann bob cid", clock=clock(per_move=60), options={"rounds": 1})
    for seat, player in enumerate(("ann", "bob", "cid")):
        if player != leaver:
            table.move(table.legal(seat)[0])
    table.wait(60).time_out()
    table.play_out()
    assert ending.early_leavers(table.match) == {leaver}


def test_a_move_that_played_itself_is_no_first_move() -> None:
    table = Table("ann bob cid")
    [seat, *_] = table.match.seats_to_move
    who = table.who(seat)
    draft = playing.move(table.match, table.legal(seat)[0], table.now)
    forced = msgspec.structs.replace(draft, events=(*draft.events, ForcedMovePlayed(seat)))
    table.act(forced, who)
    table.resign(who)
    assert ending.early_leavers(table.match) == {who}


@for_each("leaver", ["ann", "bob", "cid"])
def test_who_resigns_after_their_first_move_has_lost(leaver: str) -> None:
    table = Table("ann bob cid")
    while leaver not in {point.player for point in table.match.line if point.move}:
        table.play()
    table.resign(leaver)
    assert ending.early_leavers(table.match) == set()


def test_an_aborted_match_is_neither_scored_nor_rated() -> None:
    table = Table("ann .")
    table.act(lobby.leave_seat(table.match, "ann", 0), "ann")
    with pytest.raises(Impossible):
        ending.score(table.match)
    assert not ending.is_rateable(table.match)


def test_those_who_resigned_share_the_last_places_in_the_order_of_their_scores() -> None:
    table = Table("ann bob cid dan", position=challenge((5, 1, 9, 5)))
    table.resign("cid")
    table.resign("bob")
    table.play_out()
    ranks = [line.rank for line in ending.final_scoring(table.match).lines]
    assert ranks[2] == 3
    assert ranks[1] == 4


# Series, as in chapter 11 of the rules of Qin


def series(**more: Any) -> Table:
    """The first of two matches."""
    return Table("ann bob", game=QIN, options=SERIES, **more)


def following(table: Table) -> Table:
    """The match after this one, as the service opens it."""
    planned = ending.next_plan(table.match, table.now)
    assert planned
    after = Table.__new__(Table)
    after.game, after.now, after.entries = table.game, table.now, []
    after.match = type(table.match)(table.game, SEED)
    after.act(lobby.create(table.game, planned, SEED, table.now), "system", secret=SEED)
    return after


def test_a_single_match_is_not_a_series() -> None:
    table = Table("ann bob", game=QIN)
    table.resign("ann")
    score_match(table)
    assert (table.match.series, table.match.series_score) == (None, None)
    assert ending.next_plan(table.match, 0) is None
    with pytest.raises(Impossible):
        ending.link_next(table.match, "m-2")


def test_the_first_match_of_a_series_starts_it_at_nothing() -> None:
    table = series()
    assert table.match.series == SeriesPlace("m", 1, (0, 0))
    assert ending.next_plan(table.match, 0) is None


def test_the_next_match_is_linked_once() -> None:
    table = series()
    table.resign("ann")
    with pytest.raises(Impossible):
        ending.link_next(table.match, "m-2")
    score_match(table).act(ending.link_next(table.match, "m-2"), "system")
    assert table.match.next_match == "m-2"
    with pytest.raises(Impossible):
        ending.link_next(table.match, "m-2")


def test_the_next_match_has_the_same_seats_and_terms_and_begins_with_the_next_seat() -> None:
    table = series(clock=clock(bank=900, increment=5), visibility="private", undo="off")
    first = table.match.seats_to_move[0]
    table.play_out()
    after = following(score_match(table))
    assert (after.match.id, after.match.status, after.match.version) == ("m-2", "active", 1)
    assert after.match.seats_to_move == ((first + 1) % 2,)
    assert after.match.chairs == table.match.chairs
    for term in ("host", "clock_rule", "visibility", "undo_policy", "on_timeout", "substitute"):
        assert getattr(after.match, term) == getattr(table.match, term)
    assert after.match.setup.board == "lion"


def test_penalties_add_up_and_the_lowest_total_wins() -> None:
    table = score_match(series().play_out())
    assert table.match.series_score
    one = table.match.series_score
    assert (one.number, one.over, one.winners) == (1, False, ())
    assert one.penalties == one.totals == tuple(table.match.state.supply)
    after = score_match(following(table).play_out())
    assert after.match.series_score
    two = after.match.series_score
    assert two.totals == tuple(a + b for a, b in zip(one.totals, two.penalties, strict=True))
    assert (two.id, two.number, two.over) == ("m", 2, True)
    assert two.winners == tuple(s for s in (0, 1) if two.totals[s] == min(two.totals))
    assert ending.next_plan(after.match, 0) is None


def last_of_series(penalties: tuple[int, ...], resigned: tuple[int, ...] = ()) -> Table:
    """The last match of a series with these results so far."""
    place = SeriesPlace("m", 2, penalties, resigned)
    seats = " ".join(("ann", "bob", "cid")[: len(penalties)])
    return Table(seats, game=QIN, options={"series": ["lion"]}, series=place, match="m-2")


def test_a_series_can_be_won_by_several() -> None:
    table = last_of_series((4, 4, 1))
    table.resign("cid")
    table.act(draft_end(table), "system")
    score_match(table)
    assert table.match.series_score
    assert len(set(table.match.series_score.penalties)) == 1
    assert table.match.series_score.winners == (0, 1)


def draft_end(table: Table) -> Draft:
    """A draft of the end, before any placement."""
    assert table.match.status == "active"
    return Draft("Ended", (Ended("rules"),))


def test_no_player_wins_a_series_by_resigning_while_in_the_lead() -> None:
    table = last_of_series((0, 10))
    table.resign("ann")
    score_match(table)
    assert table.match.series_score
    assert table.match.series_score.winners == (1,)


def test_a_player_who_resigned_in_an_earlier_match_of_a_series_cannot_win_it() -> None:
    table = series()
    table.resign("ann")
    after = following(score_match(table))
    assert after.match.series
    assert after.match.series.resigned == (0,)
    assert not after.match.chairs[0].resigned
    after.resign("bob")
    score_match(after)
    assert after.match.series_score
    assert (after.match.series_score.resigned, after.match.series_score.over) == ((0, 1), True)
    assert after.match.series_score.winners == (0, 1)


def test_a_player_whose_bot_played_on_is_back_for_the_next_match() -> None:
    table = series(clock=clock(bank=1)).wait(1)
    table.time_out()
    assert [chair.bot is None for chair in table.match.chairs].count(True) == 1
    after = following(score_match(table.play_out()))
    assert [chair.bot for chair in after.match.chairs] == [None, None]


def test_the_score_keeps_the_breakdown_of_the_game() -> None:
    table = Table("ann bob", position=challenge((2, 1)))
    table.resign("bob")
    assert ending.final_scoring(table.match) == Scoring(
        "resignation", (ScoreLine(0, 1, 2, {"prizes": 2}), ScoreLine(1, 2, 1, {"prizes": 1}))
    )
