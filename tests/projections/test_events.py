"""What projections read of an entry without its game."""

from __future__ import annotations

import msgspec
import pytest

from domain.engine.codec import ENCODER
from domain.engine.play import Awaiting
from domain.match.events import MATCH_EVENTS, Ended, Started, TimedOut
from domain.match.log import Draft, entry
from projections.events import AgendaSeats, StepSeats, known_events, mover_of
from tests.match.table import Table


def test_events_of_the_match_are_read_and_those_of_the_game_are_skipped() -> None:
    text = b'[{"type":"Started"},{"type":"CardDrawn","seat":0},{"type":"TimedOut","seat":1}]'
    assert known_events(text) == [Started(), TimedOut(1)]


def test_the_agenda_is_read_by_its_seats_whatever_its_steps_are() -> None:
    agenda = b'[{"type":"Refill","seats":[]},{"type":"Choose","seats":[0,2],"left":2}]'
    [awaiting] = known_events(b'[{"type":"Awaiting","agenda":' + agenda + b"}]")
    assert awaiting == AgendaSeats((StepSeats(()), StepSeats((0, 2))))


def test_it_reads_the_agenda_that_the_engine_writes() -> None:
    table = Table("ann bob")
    [awaiting] = known_events(ENCODER.encode([Awaiting(tuple(table.match.state.agenda))]))
    assert isinstance(awaiting, AgendaSeats)
    assert awaiting.agenda[-1].seats == table.match.awaited


def test_whatever_can_happen_to_a_match_is_read_back() -> None:
    table = Table("ann bob", undo="consent").play(2)
    table.undo(table.match.line[-1].player)
    table.resign("ann")
    read = [event for one in table.entries for event in known_events(one.events)]
    assert {type(event) for event in read} <= {*MATCH_EVENTS, AgendaSeats}
    assert Ended("resignation") in read


def test_the_mover_is_known_for_moves_alone() -> None:
    table = Table("ann bob")
    move = table.legal(1)[0]
    table.move(move)
    assert [mover_of(one) for one in table.entries] == [None, 1]
    assert mover_of(entry(Draft("Ended", ()), 1, "system", 0, 1)) is None


@pytest.mark.parametrize("text", [b"{}", b"[{}]", b"[1]", b"["])
def test_what_is_not_a_list_of_events_is_not_read_over(text: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        known_events(text)
