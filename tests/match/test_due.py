"""What the service itself has to do for a match, in each of its states."""

from __future__ import annotations

from domain.games.qin import GAME as QIN
from domain.match import ending, lobby
from domain.match.due import AT_ONCE, due
from tests.match.table import HOUR, NOON, Table, clock

ROUND = {"rounds": 1}


def test_an_open_table_is_to_be_closed_when_nobody_joins() -> None:
    table = Table("ann .")
    assert due(table.match) == {"abort": NOON + HOUR}
    table.wait(3600).act(lobby.abort(table.match, table.now), "system")
    assert due(table.match) == {}


def test_nothing_is_due_while_people_think_without_a_clock() -> None:
    assert due(Table("ann bob").match) == {}


def test_a_bot_is_to_move_and_a_deadline_watched() -> None:
    table = Table("ann +easy", clock=clock(bank=100)).wait(7)
    assert due(table.match) == {"bot": AT_ONCE, "deadline": NOON + 100_000}
    table.move(table.legal(1)[0])
    assert due(table.match) == {"deadline": NOON + 100_000}


def test_the_end_is_to_be_scored_then_rated() -> None:
    table = Table("ann bob", options=ROUND).play_out()
    assert due(table.match) == {"score": AT_ONCE}
    table.wait(1).act(ending.score(table.match), "system")
    assert due(table.match) == {"rate": AT_ONCE}
    table.act(ending.rate(table.match, ()), "system")
    assert due(table.match) == {}


def test_what_does_not_count_is_not_rated() -> None:
    table = Table("ann ann", options=ROUND).play_out()
    table.act(ending.score(table.match), "system")
    assert due(table.match) == {}


def test_the_next_match_of_a_series_is_to_be_opened() -> None:
    table = Table("ann bob", game=QIN, options={"series": ["bird", "lion"]})
    table.resign("ann")
    assert due(table.match) == {"score": AT_ONCE}
    table.act(ending.score(table.match), "system")
    assert due(table.match) == {"rate": AT_ONCE, "series": AT_ONCE}
    table.act(ending.continued(table.match, "m-2"), "system")
    assert due(table.match) == {"rate": AT_ONCE}
