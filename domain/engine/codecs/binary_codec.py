"""Records in few bytes, as they are stored: msgpack in which a record is an array of its fields.

Moves, events and steps have the number of their class before their fields, which follows from its
name. So once something was stored, its class keeps its name and its fields their order; another
field may come at the end if it has a default. What the last fields have by default is left out, so
a default stays as it is, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from operator import attrgetter
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin
from zlib import crc32

import msgspec
from msgspec.structs import FieldInfo, fields

_ENCODER = msgspec.msgpack.Encoder()
_SET_CLASS: Callable[[object, type], None] = object.__dict__["__class__"].__set__


def number_of(kind: Any) -> int:
    """The number of a class of moves, events or steps, two bytes."""
    return crc32(kind.__name__.encode()) & 0xFFFF


def pack(value: Any) -> bytes:
    """A record, or a sequence of them, in few bytes: always the same ones."""
    return _ENCODER.encode(_plain(value))


def reader(kind: Any) -> Callable[[bytes], Any]:
    """What reads values of a type, as one annotates it, from what `pack` made of them.

    It raises msgspec.MsgspecError where the bytes are not of such a value.
    """
    decode = msgspec.msgpack.Decoder(_stored(kind)).decode
    return lambda data: _real(decode(data))


Readers = Mapping[int, Callable[[bytes], Any]]
"""By the number of a class: what reads a record of it."""


def readers(*kinds: Any) -> Readers:
    """What reads each of these classes of moves, events or steps."""
    return {number_of(get_origin(kind) or kind): reader(kind) for kind in kinds}


def pick(known: Readers, packed: bytes) -> list[Any]:
    """Those of the records in a sequence whose classes are known, in order."""
    return [
        known[head.number](raw)
        for head, raw in zip(_HEADS.decode(packed), _SPLIT.decode(packed), strict=True)
        if head.number in known
    ]


class _Head(msgspec.Struct, array_like=True):
    number: int


_SPLIT = msgspec.msgpack.Decoder(list[msgspec.Raw])
_HEADS = msgspec.msgpack.Decoder(list[_Head])


def _plain(value: Any) -> Any:
    """A value with each record in it as an array."""
    if isinstance(value, msgspec.Struct):
        return _taking_apart(type(value))(value)
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value


@cache
def _taking_apart(kind: Any) -> Callable[[Any], Sequence[Any]]:
    """What makes an array of a record of this class."""
    head = (number_of(kind),) if kind.__struct_config__.tag else ()
    values, inner, last_first = _values(kind), _records_in(kind), _defaults(kind)
    places = [len(head) + kind.__struct_fields__.index(name) for name in inner]

    def taken_apart(record: Any) -> list[Any]:
        array = [*head, *values(record)]
        for place in places:
            array[place] = _plain(array[place])
        for default in last_first:
            if array[-1] != default:
                break
            array.pop()
        return array

    return taken_apart if places or last_first else lambda record: head + values(record)


def _defaults(kind: Any) -> list[Any]:
    """What the last fields of a class have by default, the last first, as it is in an array."""
    inner, found = (
        _records_in(kind),
        takewhile(lambda field: not field.required, reversed(fields(kind))),
    )
    return [_plain(field.default) if field.name in inner else field.default for field in found]


def _values(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """What reads all fields of a record of this class, in order."""
    match kind.__struct_fields__:
        case ():
            return lambda _: ()
        case (name,):
            return lambda record: (getattr(record, name),)
        case names:
            return attrgetter(*names)


def _records_in(kind: Any) -> tuple[str, ...]:
    """The fields of a class in which there may be other records."""
    return tuple(field.name for field in fields(kind) if _may_hold_records(field.type))


def _may_hold_records(kind: Any) -> bool:
    """Whether there may be records in values of a type."""
    inner = get_args(kind)
    return _is_record(kind) or isinstance(kind, TypeVar) or any(map(_may_hold_records, inner))


def _is_record(kind: Any) -> bool:
    origin = get_origin(kind) or kind
    return isinstance(origin, type) and issubclass(origin, msgspec.Struct)


def _stored(kind: Any) -> Any:
    """A type with an array in it for each record."""
    if _is_record(kind):
        return _array(kind)
    origin, inner = get_origin(kind), tuple(map(_stored, get_args(kind)))
    if origin is dict and _may_hold_records(kind):
        raise TypeError(f"{kind}: records are not looked for in dicts.")
    if origin in (Union, UnionType):
        return Union[inner]  # noqa: UP007 - of types known at run time
    return origin[inner] if origin in (tuple, list, dict) else kind


@cache
def _array(kind: Any) -> type[msgspec.Struct]:
    """The class of the arrays that are read for a class of records: of the same build in memory."""
    real = get_origin(kind) or kind
    config = real.__struct_config__
    array = msgspec.defstruct(
        real.__name__,
        [_field(field) for field in fields(kind)],
        bases=(real,),
        array_like=True,
        kw_only=True,
        frozen=config.frozen,
        gc=config.gc,
        tag=number_of(real) if config.tag else None,
    )
    _REAL[array] = real, _records_in(kind)
    return array


_REAL: dict[type, tuple[type, tuple[str, ...]]] = {}
"""By the class of an array: that of the record, and the fields in which there may be others."""


def _field(field: FieldInfo) -> tuple[str, Any, Any]:
    both: Any = {"default": field.default, "default_factory": field.default_factory}
    return field.name, _stored(field.type), msgspec.field(**both)


def _real(value: Any) -> Any:
    """A value in which all arrays have become records."""
    # In place: to make each record again would take several times as long as to read it.
    if found := _REAL.get(type(value)):
        real, inner = found
        _SET_CLASS(value, real)
        for name in inner:
            _real(getattr(value, name))
    elif isinstance(value, tuple | list):
        for one in value:
            _real(one)
    return value
