"""Who won a match that ended early, and who left it."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.sentences import Words
from domain.match.decisions import ending, playing
from domain.match.outcome import Outcome, outcome_of
from domain.match.points import points_over_time
from domain.match.sentences import outcome, texts_of
from domain.match.state import ClockRule
from tests.match.table import Table

NAMES = ("Ann", "Bob", "Cid")
CLOCK = ClockRule(per_move_s=60)


def score(table: Table) -> tuple[Outcome, str]:
    """The outcome of a match that is over, and the sentences about it."""
    table.act(ending.score(table.match), "system")
    found, spoken = outcome_of(table.match), outcome(table.match)
    assert found
    assert spoken
    return found, Words(texts_of(table.match, "en"), NAMES).line(spoken)


def resign(table: Table, *players: str) -> Table:
    for player in players:
        table.act(playing.resign(table.match, player, table.now), player)
    return table


def time_out(table: Table, after_s: float = 61) -> Table:
    table.wait(after_s).act(playing.time_out(table.match, table.now), "system")
    return table


def test_there_is_none_before_the_score() -> None:
    table = resign(Table("ann bob").play(2), "bob")
    assert table.match.over
    assert outcome_of(table.match) is None
    assert outcome(table.match) is None


def test_a_resignation_is_the_reason() -> None:
    found, said = score(resign(Table("ann bob").play(2), "bob"))
    assert (found.winners, found.resigned, found.timed_out) == ((0,), (1,), ())
    assert (found.lead, found.runners_up) == (None, ())
    assert said == "Ann won: Bob resigned."  # points decided nothing


def test_a_seat_whose_time_was_up_did_not_resign_by_itself() -> None:
    table = Table("ann bob", clock=CLOCK, on_timeout="resign").play(2)
    late = table.match.seats_to_move
    found, said = score(time_out(table))
    assert (found.timed_out, found.resigned) == (late, ())
    [loser] = late
    assert said == f"{NAMES[1 - loser]} won: {NAMES[loser]} ran out of time."


def test_a_seat_that_a_bot_took_over_may_resign_later() -> None:
    """Its time was up, and yet that is not why it lost."""
    table = time_out(Table("ann bob", clock=CLOCK, on_timeout="bot").play(2))
    assert table.match.timed_out
    found, _ = score(resign(table, "bob"))
    assert (found.resigned, found.timed_out) == ((1,), ())


def test_players_who_left_a_match_that_went_on_are_named_after_its_end() -> None:
    table = resign(Table("ann bob cid").play(2), "cid").play_out()
    found, said = score(table)
    assert (found.resigned, 2 in found.winners) == ((2,), False)
    assert said.endswith("Cid resigned.")
    assert "Game over: " in said


def test_points_over_time_are_those_of_the_line_that_was_played_on() -> None:
    """Versions that an undo left do not count, and those that a redo restored do."""
    table = Table("ann bob", undo="free").play(4)
    table.undo("ann", table.match.line[-2].version)
    table.redo("ann")
    table.undo("ann", table.match.line[-3].version)
    table.play_out()
    found = list(points_over_time(table.match))
    assert [one.version for one in found] == [point.version for point in table.match.line]
    for place, one in enumerate(found, 1):
        scoring = table.game.scoring(table.match.state_after(place))
        assert one.points == tuple(line.points for line in scoring.lines)
    table.act(ending.score(table.match), "system")
    assert found[-1].points == tuple(line.points for line in ending.score_lines(table.match))


@pytest.mark.parametrize("more", [{}, {"undo": "free"}])
def test_points_begin_with_the_game(more: Any) -> None:
    table = Table("ann bob", **more).play(1)
    first = next(points_over_time(table.match))
    assert first.version == table.match.line[0].version
