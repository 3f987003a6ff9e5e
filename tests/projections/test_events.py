"""What projections read of an entry without its game."""

from __future__ import annotations

import msgspec
import pytest

from domain.engine.codecs.binary_codec import number_of, pack
from domain.engine.play import Awaiting
from domain.match.events import MATCH_EVENTS, Ended, Started, TimedOut
from domain.match.log import Draft, entry
from projections.core.events import AgendaSeats, StepSeats, known_events, mover_of
from tests.engine.toy.events import CardDrawn
from tests.engine.toy.state.steps import Choose, Respond
from tests.match.table import Table


def test_events_of_the_match_are_read_and_those_of_the_game_are_skipped() -> None:
    packed = pack([Started((None, None)), CardDrawn(0, 3), TimedOut(1)])
    assert known_events(packed) == [Started((None, None)), TimedOut(1)]


def test_the_agenda_is_read_by_its_seats_whatever_its_steps_are() -> None:
    steps = (Respond((), to=1, card=3), Choose((0, 2)))
    [awaiting] = known_events(pack([Awaiting(steps)]))
    assert awaiting == AgendaSeats(
        (StepSeats(number_of(Respond), ()), StepSeats(number_of(Choose), (0, 2)))
    )


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


@pytest.mark.parametrize("packed", [b"", b"\x80", b"\x91", b"\x91\x80", b"\x91\x01", b"\x91\x90"])
def test_what_is_not_a_list_of_events_is_not_read_over(packed: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        known_events(packed)
