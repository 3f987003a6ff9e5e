"""Compact records: equal records have equal bytes, and they read back."""

from __future__ import annotations

import msgspec
import pytest

from domain.engine.codecs import binary_codec
from domain.engine.codecs.binary_codec import class_id, decoder, pack
from domain.engine.play import Awaiting, Event, Record
from tests.engine.toy.events import CardsShown, Passed
from tests.engine.toy.moves import Pass, ShowCard
from tests.engine.toy.state.steps import Choose, Respond
from tests.support.for_each import for_each


class Space(msgspec.Struct, frozen=True):
    row: int
    col: int


class PiecePlaced(Record, frozen=True):
    spaces: tuple[Space, ...]
    note: str | None = None


def test_a_record_is_its_number_and_its_fields_in_their_order() -> None:
    assert msgspec.msgpack.decode(pack(ShowCard(2, 1, 4))) == [class_id(ShowCard), 2, 1, 4]
    assert msgspec.msgpack.decode(pack(Pass(1))) == [class_id(Pass), 1]


def test_the_number_of_a_class_follows_from_its_name() -> None:
    """Stored records keep this number for ever."""
    assert class_id(Pass) == 0x7B1A


def test_records_within_records_come_back() -> None:
    events = [CardsShown((None, 4), 1, 3), Awaiting((Respond((0,), to=1, card=3), Choose((1,))))]
    read = decoder(list[CardsShown | Awaiting[Respond | Choose]])
    assert read(pack(events)) == events
    assert [type(one) for one in read(pack(events))] == [CardsShown, Awaiting]
    assert [type(one) for one in read(pack(events))[1].agenda] == [Respond, Choose]


def test_what_was_read_is_as_good_as_what_was_made() -> None:
    made = Passed(1)
    [read] = decoder(list[Passed | CardsShown])(pack([made]))
    assert (read, hash(read), repr(read)) == (made, hash(made), repr(made))
    assert msgspec.json.encode(read) == msgspec.json.encode(made)
    assert msgspec.structs.replace(read, seat=2) == Passed(2)
    with pytest.raises(AttributeError):
        read.seat = 3


def test_records_without_a_tag_are_only_their_fields() -> None:
    placed = PiecePlaced((Space(1, 2),))
    assert msgspec.msgpack.decode(pack(placed)) == [class_id(PiecePlaced), [[1, 2]]]
    assert decoder(PiecePlaced)(pack(placed)) == placed


class Aside(msgspec.Struct, frozen=True):
    names: tuple[str, ...] = ()
    spaces: tuple[Space, ...] = ()
    count: int = 0


@for_each(
    ("aside", "stored"),
    [
        (Aside(), []),
        (Aside(names=("king",)), [["king"]]),
        (Aside(spaces=(Space(1, 2),)), [[], [[1, 2]]]),
        (Aside(count=3), [[], [], 3]),
    ],
)
def test_what_the_last_fields_have_by_default_is_left_out(aside: Aside, stored: object) -> None:
    assert msgspec.msgpack.decode(pack(aside)) == stored
    assert decoder(Aside)(pack(aside)) == aside


class NamedPiece(Record, frozen=True):
    spaces: dict[str, Space]


def test_records_are_not_looked_for_in_dicts() -> None:
    with pytest.raises(TypeError, match="in dicts"):
        decoder(NamedPiece)


def test_a_field_that_came_later_has_its_default() -> None:
    class Draw(Record, frozen=True):
        seat: int
        count: int = 1

    assert decoder(Draw)(msgspec.msgpack.encode([class_id(Draw), 3])) == Draw(3)


@for_each(
    "value", [[], [1, 2], [class_id(Pass)], [class_id(Pass), "1"], [class_id(Choose), [1]], 7]
)
def test_what_is_no_such_record_is_refused(value: object) -> None:
    with pytest.raises(msgspec.MsgspecError):
        decoder(Pass | ShowCard)(msgspec.msgpack.encode(value))


def test_two_classes_with_one_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost(Event[object]):
        pass

    class Won(Event[object]):
        pass

    monkeypatch.setattr(binary_codec, "class_id", lambda _: 7)
    with pytest.raises(TypeError):
        decoder(Lost | Won)
