"""What projections read of an entry without its game."""

from __future__ import annotations

import msgspec
import pytest

from domain.engine.codecs.binary_codec import class_id, pack
from domain.engine.play import Awaiting
from domain.match.events import MATCH_EVENTS, Ended, Started, TimedOut
from domain.match.log import Draft, make_entry
from projections.core.events import AgendaSeats, StepSeats, mover_of, read_known_events
from tests.engine.toy.events import CardDrawn
from tests.engine.toy.state.steps import Choose, Respond
from tests.match.table import Table


def test_events_of_the_match_are_read_and_those_of_the_game_are_skipped() -> None:
    packed = pack([Started((None, None)), CardDrawn(0, 3), TimedOut(1)])
    assert read_known_events(packed) == [Started((None, None)), TimedOut(1)]


def test_the_seats_of_any_agenda_are_read() -> None:
    steps = (Respond((), to=1, card=3), Choose((0, 2)))
    [awaiting] = read_known_events(pack([Awaiting(steps)]))
    assert awaiting == AgendaSeats(
        (StepSeats(class_id(Respond), ()), StepSeats(class_id(Choose), (0, 2)))
    )


def test_every_match_event_is_read_back() -> None:
    table = Table("ann bob", undo="consent").play(2)
    table.undo(table.match.line[-1].player)
    table.resign("ann")
    read = [event for one in table.entries for event in read_known_events(one.events)]
    assert {type(event) for event in read} <= {*MATCH_EVENTS, AgendaSeats}
    assert Ended("resignation") in read


def test_only_moves_have_a_mover() -> None:
    table = Table("ann bob")
    move = table.legal(1)[0]
    table.move(move)
    assert [mover_of(one) for one in table.entries] == [None, 1]
    assert mover_of(make_entry(Draft("Ended", ()), 1, "system", 0, 1)) is None


@pytest.mark.parametrize("packed", [b"", b"\x80", b"\x91", b"\x91\x80", b"\x91\x01", b"\x91\x90"])
def test_invalid_events_are_refused(packed: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_known_events(packed)
