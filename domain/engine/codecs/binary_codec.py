"""Compact storage of records: msgpack, with each record as an array of its fields.

The array of a move, event or step begins with the id of its class, which is derived from the class
name. Once something is stored, its class must keep its name, and its fields their order. You may
add a field at the end with the default `UNSET`, which texts of entries leave out, too. Trailing
fields with default values are omitted, so defaults must not change either.
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


def class_id(kind: Any) -> int:
    """The id of a class of moves, events or steps: 16 bits."""
    return crc32(kind.__name__.encode()) & 0xFFFF


def pack(value: Any) -> bytes:
    """Encode a record, or a sequence of them. Equal values give equal bytes."""
    return _ENCODER.encode(_to_arrays(value))


def decoder(kind: Any) -> Callable[[bytes], Any]:
    """A function that decodes what `pack` made of values of this type (any type annotation).

    It raises msgspec.MsgspecError if the bytes do not fit the type.
    """
    decode = msgspec.msgpack.Decoder(_type_with_arrays(kind)).decode
    return lambda data: _to_records(decode(data))


Decoders = Mapping[int, Callable[[bytes], Any]]
"""Decoders of records by class id."""


def decoders(*kinds: Any) -> Decoders:
    """A decoder for each of these classes of moves, events or steps."""
    return {class_id(get_origin(kind) or kind): decoder(kind) for kind in kinds}


def decode_known(known: Decoders, packed: bytes) -> list[Any]:
    """Decode the records of known classes in a packed sequence, in order, and skip the others."""
    return [
        known[head.class_id](raw)
        for head, raw in zip(_HEADS.decode(packed), _SPLIT.decode(packed), strict=True)
        if head.class_id in known
    ]


def read_class_ids(packed: bytes) -> list[int]:
    """The ids of the classes of the records in a packed sequence, in order."""
    return [head.class_id for head in _HEADS.decode(packed)]


class _Head(msgspec.Struct, array_like=True):
    class_id: int


_SPLIT = msgspec.msgpack.Decoder(list[msgspec.Raw])
_HEADS = msgspec.msgpack.Decoder(list[_Head])


def _to_arrays(value: Any) -> Any:
    """A value in which each record is replaced by an array."""
    if isinstance(value, msgspec.Struct):
        return _array_maker(type(value))(value)
    if isinstance(value, tuple | list):
        return [_to_arrays(one) for one in value]
    return value


@cache
def _array_maker(kind: Any) -> Callable[[Any], Sequence[Any]]:
    """A function that turns a record of this class into an array."""
    head = (class_id(kind),) if kind.__struct_config__.tag else ()
    values, inner, last_first = _values(kind), _records_in(kind), _defaults(kind)
    places = [len(head) + kind.__struct_fields__.index(name) for name in inner]

    def to_array(record: Any) -> list[Any]:
        array = [*head, *values(record)]
        for place in places:
            array[place] = _to_arrays(array[place])
        for default in last_first:
            if array[-1] != default:
                break
            array.pop()
        return array

    return to_array if places or last_first else lambda record: head + values(record)


def _defaults(kind: Any) -> list[Any]:
    """The defaults of the trailing fields of a class, last field first, as arrays hold them."""
    inner, found = (
        _records_in(kind),
        takewhile(lambda field: not field.required, reversed(fields(kind))),
    )
    return [_to_arrays(field.default) if field.name in inner else field.default for field in found]


def _values(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the values of all fields of a record, in order."""
    match kind.__struct_fields__:
        case ():
            return lambda _: ()
        case (name,):
            return lambda record: (getattr(record, name),)
        case names:
            return attrgetter(*names)


def _records_in(kind: Any) -> tuple[str, ...]:
    """The fields of a class that may contain other records."""
    return tuple(field.name for field in fields(kind) if _may_hold_records(field.type))


def _may_hold_records(kind: Any) -> bool:
    """Whether values of a type may contain records."""
    inner = get_args(kind)
    return _is_record(kind) or isinstance(kind, TypeVar) or any(map(_may_hold_records, inner))


def _is_record(kind: Any) -> bool:
    origin = get_origin(kind) or kind
    return isinstance(origin, type) and issubclass(origin, msgspec.Struct)


def _type_with_arrays(kind: Any) -> Any:
    """A type with each record class in it replaced by its array class."""
    if _is_record(kind):
        return _array_class(kind)
    origin, inner = get_origin(kind), tuple(map(_type_with_arrays, get_args(kind)))
    if origin is dict and _may_hold_records(kind):
        raise TypeError(f"{kind}: records are not looked for in dicts.")
    if origin in (Union, UnionType):
        return Union[inner]  # noqa: UP007 - of types known at run time
    return origin[inner] if origin in (tuple, list, dict) else kind


@cache
def _array_class(kind: Any) -> type[msgspec.Struct]:
    """The class that decodes arrays of a record class. It has the same memory layout."""
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
        tag=class_id(real) if config.tag else None,
    )
    _RECORD_CLASSES[array] = real, _records_in(kind)
    return array


_RECORD_CLASSES: dict[type, tuple[type, tuple[str, ...]]] = {}
"""By array class: the record class, and the fields that may contain other records."""


def _field(field: FieldInfo) -> tuple[str, Any, Any]:
    both: Any = {"default": field.default, "default_factory": field.default_factory}
    return field.name, _type_with_arrays(field.type), msgspec.field(**both)


def _to_records(value: Any) -> Any:
    """Turn all decoded arrays in a value into records, in place. Returns the value."""
    # Creating each record anew would take several times as long as decoding it.
    if found := _RECORD_CLASSES.get(type(value)):
        real, inner = found
        _SET_CLASS(value, real)
        for name in inner:
            _to_records(getattr(value, name))
    elif isinstance(value, tuple | list):
        for one in value:
            _to_records(one)
    return value
