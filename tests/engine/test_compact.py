"""Records in few bytes: the same ones for the same record, and back."""

from __future__ import annotations

import msgspec
import pytest

from domain.engine.codecs import binary_codec
from domain.engine.codecs.binary_codec import number_of, pack, reader
from domain.engine.play import Awaiting, Event, Record
from tests.engine.toy.events import CardsShown, Passed
from tests.engine.toy.moves import Pass, ShowCard
from tests.engine.toy.state.steps import Choose, Respond


class Space(msgspec.Struct, frozen=True):
    row: int
    col: int


class Placed(Record, frozen=True):
    spaces: tuple[Space, ...]
    note: str | None = None


def test_a_record_is_its_number_and_its_fields_in_their_order() -> None:
    assert msgspec.msgpack.decode(pack(ShowCard(2, 1, 4))) == [number_of(ShowCard), 2, 1, 4]
    assert msgspec.msgpack.decode(pack(Pass(1))) == [number_of(Pass), 1]


def test_the_number_of_a_class_follows_from_its_name() -> None:
    """What is stored under a number is read by it for ever."""
    assert number_of(Pass) == 0x7B1A


def test_records_within_records_come_back() -> None:
    events = [CardsShown((None, 4), 1, 3), Awaiting((Respond((0,), to=1, card=3), Choose((1,))))]
    read = reader(list[CardsShown | Awaiting[Respond | Choose]])
    assert read(pack(events)) == events
    assert [type(one) for one in read(pack(events))] == [CardsShown, Awaiting]
    assert [type(one) for one in read(pack(events))[1].agenda] == [Respond, Choose]


def test_what_was_read_is_as_good_as_what_was_made() -> None:
    made = Passed(1)
    [read] = reader(list[Passed | CardsShown])(pack([made]))
    assert (read, hash(read), repr(read)) == (made, hash(made), repr(made))
    assert msgspec.json.encode(read) == msgspec.json.encode(made)
    assert msgspec.structs.replace(read, seat=2) == Passed(2)
    with pytest.raises(AttributeError):
        read.seat = 3


def test_records_without_a_tag_are_their_fields_alone() -> None:
    placed = Placed((Space(1, 2),))
    assert msgspec.msgpack.decode(pack(placed)) == [number_of(Placed), [[1, 2]]]
    assert reader(Placed)(pack(placed)) == placed


class Aside(msgspec.Struct, frozen=True):
    names: tuple[str, ...] = ()
    spaces: tuple[Space, ...] = ()
    count: int = 0


@pytest.mark.parametrize(
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
    assert reader(Aside)(pack(aside)) == aside


class Named(Record, frozen=True):
    spaces: dict[str, Space]


def test_records_are_not_looked_for_in_dicts() -> None:
    with pytest.raises(TypeError, match="in dicts"):
        reader(Named)


def test_a_field_that_came_later_has_its_default() -> None:
    class Drawn(Record, frozen=True):
        seat: int
        count: int = 1

    assert reader(Drawn)(msgspec.msgpack.encode([number_of(Drawn), 3])) == Drawn(3)


@pytest.mark.parametrize(
    "value", [[], [1, 2], [number_of(Pass)], [number_of(Pass), "1"], [number_of(Choose), [1]], 7]
)
def test_what_is_no_such_record_is_refused(value: object) -> None:
    with pytest.raises(msgspec.MsgspecError):
        reader(Pass | ShowCard)(msgspec.msgpack.encode(value))


def test_two_classes_with_one_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost(Event[object]):
        pass

    class Won(Event[object]):
        pass

    monkeypatch.setattr(binary_codec, "number_of", lambda _: 7)
    with pytest.raises(TypeError):
        reader(Lost | Won)
