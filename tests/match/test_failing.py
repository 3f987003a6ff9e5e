"""What happens to a match whose bot fails repeatedly."""

from __future__ import annotations

import pytest

from domain.engine.errors import GameOver
from domain.match.decisions.bot_failures import replace_bot
from domain.match.log import AnyEvent
from domain.match.scheduled_work import DUE_NOW, due_work
from tests.match.table import Table, kinds


def fail(table: Table, seat: int) -> list[AnyEvent]:
    return table.act(replace_bot(table.match, seat), "system")


def test_the_simplest_level_plays_on_and_the_match_no_longer_counts() -> None:
    table = Table("ann +crafty")
    assert kinds(fail(table, 1)) == ["BotFailed", "Unrated"]
    assert (table.match.chairs[1].bot, table.match.unrated) == ("easy", "bot_failed")
    assert due_work(table.match) == {"bot": DUE_NOW}


def test_what_did_not_count_before_keeps_its_reason() -> None:
    table = Table("ann +crafty", seed_given=True)
    assert kinds(fail(table, 1)) == ["BotFailed"]
    assert table.match.unrated == "seed"


def test_then_chance_moves_only_for_that_seat() -> None:
    table = Table("+easy +crafty")
    fail(table, 0)
    assert table.match.random_seats == {0}
    assert [chair.bot for chair in table.match.chairs] == ["easy", "crafty"]
    assert table.match.status == "active"


def test_at_last_the_match_is_aborted_and_says_why() -> None:
    table = Table("ann +easy")
    fail(table, 1)
    assert kinds(fail(table, 1)) == ["Aborted"]
    assert (table.match.status, table.match.end_reason) == ("aborted", "bot_failed")
    assert due_work(table.match) == {}


def test_a_match_that_is_over_needs_no_bot() -> None:
    table = Table("ann +easy", options={"rounds": 1}).play_out()
    with pytest.raises(GameOver):
        replace_bot(table.match, 1)
