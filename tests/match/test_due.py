"""The work that the service has to do for a match, in each of its states."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.games.qin import GAME as QIN
from domain.match.decisions import ending, lobby
from domain.match.scheduled_work import (
    DUE_NOW,
    QUEUE_OF,
    Work,
    due_changes,
    due_work,
    idle_step_ms,
    is_settled,
)
from tests.match.table import HOUR, NOON, Table, clock
from tests.support.for_each import for_each

ROUND = {"rounds": 1}
IDLE_MS = 100_000  # in steps of 1 s


TIMES = st.sampled_from([DUE_NOW, 7, 8])
NOTED = st.dictionaries(st.sampled_from([*QUEUE_OF]), TIMES)


@given(NOTED, NOTED)
def test_what_has_changed_leads_from_one_to_the_other(
    before: dict[Work, int], after: dict[Work, int]
) -> None:
    noted = dict(before)
    for work, at in due_changes(before, after).items():
        if at is None:
            del noted[work]
        else:
            noted[work] = at
    assert noted == after


@given(NOTED)
def test_what_stays_is_noted_again_only_if_it_waits_in_a_queue(before: dict[Work, int]) -> None:
    """It goes to the end of the queue, since its place is that of the last entry."""
    at_once = {work: at for work, at in before.items() if at == DUE_NOW}
    assert due_changes(before, before) == at_once


def test_an_open_table_is_to_be_closed_when_no_player_joins() -> None:
    table = Table("ann .")
    assert due_work(table.match) == {"abort": NOON + HOUR}
    table.wait(3600).act(lobby.abort(table.match, table.now), "system")
    assert due_work(table.match) == {}


def test_nothing_is_due_while_people_think_without_a_clock() -> None:
    assert due_work(Table("ann bob").match) == {}


@for_each("leaver", ["ann", "bob"])
@for_each("moves", [0, 1, 2])
def test_a_match_without_a_clock_ends_by_itself_once_only_one_player_is_left(
    leaver: str, moves: int
) -> None:
    """Two players wait for each other; either can resign, whichever turn it is. One of three who
    is left with bots has a way out.
    """
    two = Table("ann bob", idle_ms=IDLE_MS).play(moves)
    assert due_work(two.match) == {}
    two.resign(leaver)
    assert two.match.over
    left = Table("ann bob +easy", idle_ms=IDLE_MS)
    assert "abandon" not in due_work(left.match)
    left.resign(leaver)
    assert due_work(left.match)["abandon"] == NOON + IDLE_MS


def test_moves_change_the_end_of_an_idle_match_in_steps() -> None:
    """It ends less than a step later than its time, and a store writes the index once a step."""
    table = Table("ann ann", idle_ms=100 * IDLE_MS)
    noted = set[int]()
    for _ in range(10):
        table.wait(IDLE_MS / 5_000).play(1)
        late = due_work(table.match)["abandon"] - (table.match.ends_at or 0)
        assert 0 <= late < idle_step_ms(table.match) == IDLE_MS
        noted.add(due_work(table.match)["abandon"])
    assert 2 <= len(noted) <= 3


def test_a_bot_is_to_move_and_a_deadline_watched() -> None:
    table = Table("ann +easy", clock=clock(bank=100)).wait(7)
    assert due_work(table.match) == {"bot": DUE_NOW, "deadline": NOON + 100_000}
    table.move(table.legal(1)[0])
    assert due_work(table.match) == {"deadline": NOON + 100_000}


def test_the_end_is_to_be_scored_then_rated() -> None:
    table = Table("ann bob", options=ROUND).play_out()
    assert due_work(table.match) == {"score": DUE_NOW}
    table.wait(1).act(ending.score(table.match), "system")
    assert due_work(table.match) == {"rate": DUE_NOW}
    assert not is_settled(table.match)
    table.act(ending.rate(table.match, ()), "system")
    assert due_work(table.match) == {}
    assert is_settled(table.match)


def test_what_does_not_count_is_not_rated() -> None:
    table = Table("ann ann", options=ROUND).play_out()
    table.act(ending.score(table.match), "system")
    assert due_work(table.match) == {}


def test_the_next_match_of_a_series_is_to_be_opened() -> None:
    table = Table("ann bob", game=QIN, options={"series": ["bird", "lion"]})
    table.resign("ann")
    assert due_work(table.match) == {"score": DUE_NOW}
    table.act(ending.score(table.match), "system")
    assert due_work(table.match) == {"rate": DUE_NOW, "series": DUE_NOW}
    table.act(ending.link_next(table.match, "m-2"), "system")
    assert due_work(table.match) == {"rate": DUE_NOW}
    table.act(ending.rate(table.match, ()), "system")
    assert due_work(table.match) == {}
    assert not is_settled(table.match), "the series goes on"
