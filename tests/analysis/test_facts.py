"""The facts of a match equal what happened at the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.analysis.facts import Facts, facts_of
from domain.analysis.timeline import TimelineEntry, timeline
from domain.engine.codecs import json_codec
from domain.engine.game import Game, seats_to_move
from domain.games import GAMES
from domain.match import outages
from domain.match.decisions import ending, pauses, playing, proposals
from domain.match.log import fold_match
from domain.match.outcome import RatingChange
from tests.analysis.matches import PEOPLE, Quick, cut_short, play_match
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON, Table, challenge, clock

EVERY = pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)


def facts(table: Table) -> Facts:
    """The facts of a match that is over."""
    found = facts_of(table.game, table.entries)
    assert found
    return found


def of(table: Table) -> list[TimelineEntry]:
    """The timeline of a match."""
    return list(timeline(table.game, table.entries))


def score_match(table: Table) -> Table:
    """Record the final score of the match."""
    table.act(ending.score(table.match), "system")
    return table


def two(**more: Any) -> Table:
    """A match of the toy game for two people."""
    return Table("ann ben", **more)


@EVERY
def test_the_position_before_each_moment_is_the_one_in_which_it_was_decided(
    game: Game[Any],
) -> None:
    match = Quick(game, " ".join(PEOPLE[: game.seats[0]]))
    before = [json_codec.encode(game.write_position(match.match.state))]
    for turn in range(8):
        match.by_chance(Random(turn), moves=1)
        before.append(json_codec.encode(game.write_position(match.match.state)))
    begun, *decided = timeline(game, match.entries)
    assert (begun.number, begun.seat, begun.move) == (0, None, None)
    assert not seats_to_move(begun.before)
    found = [json_codec.encode(game.write_position(one.before)) for one in decided]
    assert found == before[: len(found)]
    assert [one.number for one in decided] == list(range(1, len(decided) + 1))
    assert all(one.move is not None and one.seat == one.move.seat for one in decided)
    assert len(decided) > 4


def test_undone_moves_are_listed_and_not_counted() -> None:
    table = Table("ann +easy", undo="free", position=challenge())
    table.play(2)
    table.undo("ann", table.line[-2])
    assert [one.undone for one in of(table)] == [False, False, True]
    table.redo("ann")
    assert [one.undone for one in of(table)] == [False, False, False]
    table.undo("ann", table.line[-2])
    told = facts(score_match(table.play_out()))
    assert told.undos == 3
    assert told.seats[0].undos == 3
    assert told.decisions == sum(seat.decisions for seat in told.seats) == len(table.line) - 1
    assert told.given == "position"


def test_a_seat_thinks_from_when_it_is_asked_until_it_decides() -> None:
    table = two(position=challenge())
    seat = table.match.seats_to_move[0]
    table.wait(3).move(table.legal()[0])
    [_, moment] = of(table)
    assert (moment.seat, moment.ms) == (seat, 3_000)


def test_thinking_time_is_never_negative() -> None:
    table = two(position=challenge())
    table.wait(-3).move(table.legal()[0])
    assert of(table)[1].ms == 0


def test_time_returned_after_an_outage_is_not_thinking_time() -> None:
    table = two(position=challenge(), clock=clock(per_move=60)).wait(50)
    choice, away = table.legal()[0], [outages.Outage(table.now - 45_000, table.now)]
    draft = outages.decide(
        table.match, lambda match, now: playing.move(match, choice, now), table.now, away
    )
    table.act(draft, table.who(choice.seat))
    told = facts(score_match(table.play_out()))
    assert of(table)[1].ms == 5_000
    assert sum(seat.ms for seat in told.seats) == 5_000
    assert (told.ended - told.started, told.minutes) == (50_000, 5 / 60)


def test_a_pause_is_not_thinking_time() -> None:
    table = two(position=challenge(), clock=clock(per_move=60)).wait(4)
    for player in table.match.chairs:
        assert player.player
        draft = proposals.propose(table.match, player.player, "pause", table.now)
        table.act(draft, player.player)
    table.wait(9_000)
    table.act(pauses.resume(table.match, table.match.host, table.now), table.match.host)
    table.wait(1).play()
    told = facts(score_match(table.play_out()))
    assert of(table)[1].ms == 5_000
    assert (told.ended - told.started, told.minutes) == (9_005_000, 5 / 60)


def test_a_match_that_is_not_scored_has_none() -> None:
    table = two().play_out()
    assert facts_of(TOY, table.entries) is None
    assert facts_of(TOY, score_match(table).entries)


def test_who_resigned_and_who_was_late() -> None:
    table = Table("ann ben cid", clock=clock(per_move=5), position=challenge((3, 3, 3)))
    late = table.match.seats_to_move[0]
    table.wait(6).time_out()
    early = (late + 1) % 3
    table.resign(("ann", "ben", "cid")[early])
    told = facts(score_match(table.play_out()))
    assert [seat.timed_out for seat in told.seats] == [one == late for one in range(3)]
    assert [seat.resigned for seat in told.seats] == [one == early for one in range(3)]
    assert told.seats[late].bot is not None
    assert told.seats[late].player == ("ann", "ben", "cid")[late]


def test_the_rating_is_the_one_before() -> None:
    table = score_match(two(seed_index=3).play_out())
    assert facts(table).seats[0].rating is None
    changes = [
        RatingChange(name, (25.0 + place, 8.0), (26.0, 7.9), 1, 0)
        for place, name in enumerate(("ann", "ben"))
    ]
    table.act(ending.rate(table.match, changes), "system")
    told = facts(table)
    assert [seat.rating for seat in told.seats] == [change.before for change in changes]
    assert (told.given, told.unrated) == (None, None)


def test_a_match_with_given_dice_says_so() -> None:
    assert facts(score_match(two().play_out())).given == "seed"


@EVERY
def test_facts_of_every_game(game: Game[Any]) -> None:
    """At the end of the toy's match, and after some moves of others."""
    if game is TOY:
        entries = play_match(game, game.seats[0], seed=5)
    else:
        entries = cut_short(game, game.seats[0], moves=24, seed=5)
    told = facts_of(game, entries)
    match = fold_match({game.key: game}, entries)
    assert told
    assert match.scoring
    assert sum(seat.share for seat in told.seats) == pytest.approx(1)
    assert [(seat.points, seat.place) for seat in told.seats] == [
        (line.points, line.rank) for line in match.scoring.lines
    ]
    assert (told.match, told.game, told.end) == (match.id, game.key, match.scoring.reason)
    assert told.started == NOON
    assert told.ended == match.updated_at == NOON + 1_000 * told.decisions
    assert told.minutes == told.decisions / 60
    assert sum(seat.ms for seat in told.seats) >= 1_000 * told.decisions
    assert all(seat.first for seat in told.seats if seat.decisions)
