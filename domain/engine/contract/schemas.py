"""What the records of a game look like as JSON: schemas for those who write clients."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import ismodule
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.engine.codecs.json_codec import event_types
from domain.engine.contract.refusals import faults
from domain.engine.game import Game, Json
from domain.engine.options import own_to_modes, with_modes
from domain.engine.play import Move
from domain.engine.resources.field_notes import Glossary, note

Record = type[msgspec.Struct]
PLAIN = ("string", "integer", "array")
OF_ITSELF = {"title", "default"}
"""Words of a schema that are said otherwise: some generators of clients take a member that has a
default for one that is always there."""


@cache
def schemas(game: Game[Any]) -> Json:
    """JSON schemas of a game by name: its records, all of a kind as `Move`, `Step`, `Event`, and
    its closed lists, with `Fault` and `EndReason`.
    """
    answers, events = game.answers, event_types(game)
    told = (game.view_type, *answers.steps, *events)
    read = (*answers.moves, game.options, game.position_type)
    unions = {"Move": answers.moves, "Step": answers.steps, "Event": events}
    found = described(told, read, unions, game.glossary)
    closed = {"Fault": _faults(game), "EndReason": _ends(game)}
    return {**_parted(found, game.lasting), **closed}


def _faults(game: Game[Any]) -> Json:
    """The closed list of what a refusal of the rules calls their `fault`."""
    known = faults(game)
    said = "Why a move is against the rules, for programs; `x-rules` has the numbers of the rules."
    return {"description": said, **_enum(known), "x-rules": known}


def _ends(game: Game[Any]) -> Json:
    """The closed list of the reasons for which the rules end the game."""
    return {"description": "How the game can end by its rules.", **_enum(game.ends)}


def _parted(found: Json, lasting: Sequence[str]) -> Json:
    """The same with `Board`: the members of `View` that last, and can be left out of it."""
    view, members = found["View"], found["View"]["properties"]
    board = {
        "description": "What stays the same all through a match.",
        "type": "object",
        "properties": {name: members[name] for name in ("game", *lasting)},
        "required": ["game", *lasting],
    }
    changing = [name for name in view["required"] if name not in lasting]
    return {**found, "View": {**view, "required": changing}, "Board": board}


def described(
    told: Sequence[Any],
    read: Sequence[Any],
    unions: Mapping[str, Sequence[Any]],
    glossary: Glossary,
) -> Json:
    """Schemas by name of the records that clients are told of, of those that they send, and of all
    that is in them, with what their source or the glossary says of their fields.

    A union is one of its records, known by its `type`. What clients are told is whole: members are
    there also if they have a default.
    """
    whole = {one.__name__ for one in records(told) if not one.__struct_config__.omit_defaults}
    named = {one.__name__: one for one in records((*told, *read))}
    _, found = msgspec.json.schema_components((*told, *read), ref_template="#/$defs/{name}")
    texts = {_plain(name): _tidy(schema) for name, schema in found.items()}
    assert texts.keys() == named.keys(), texts.keys() ^ named.keys()
    united = {name: _union(_names(kinds)) for name, kinds in unions.items()}
    united |= _closed_lists(records((*told, *read)))
    alone = _by_name(texts, united)
    told_of = {name: _of(named[name], alone[name], name in whole, glossary) for name in alone}
    return {**told_of, **united}


def _closed_lists(kinds: Iterable[Record]) -> Json:
    """The closed lists of words that the modules of these records have names for."""
    modules = {sys.modules[kind.__module__] for kind in kinds}
    spaces = modules | {thing for one in modules for thing in vars(one).values() if ismodule(thing)}
    return {
        name: _enum(get_args(thing))
        for space in sorted(spaces, key=lambda one: one.__name__)
        for name, thing in vars(space).items()
        if get_origin(thing) is Literal
    }


def _enum(values: Iterable[Any]) -> Json:
    """One of these values, in the order in which a schema has them."""
    among = sorted(values)
    return {"type": "string" if isinstance(among[0], str) else "integer", "enum": among}


def records(kinds: Iterable[Any]) -> Iterator[Record]:
    """The records among these types and in them, each once."""
    waiting, known = list(kinds), set()
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        origin = get_origin(kind) or kind
        if isinstance(origin, type) and issubclass(origin, msgspec.Struct) and origin not in known:
            known.add(origin)
            yield origin
            waiting += get_type_hints(origin, include_extras=True).values()


def _plain(name: str) -> str:
    """The name of a record without what a generic one is made of."""
    return re.sub(r"_(?:\w+\.)+\w.*", "", name)


def _names(kinds: Sequence[Any]) -> list[str]:
    return [(get_origin(kind) or kind).__name__ for kind in kinds]


def _union(names: Sequence[str]) -> Json:
    mapping = {name: f"#/$defs/{name}" for name in names}
    return {
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _by_name(schemas: Json, united: Json) -> Json:
    """The same schemas, which name a union or a closed list where they have all of it."""
    text = msgspec.json.encode(schemas)
    for name, schema in united.items():
        text = text.replace(msgspec.json.encode(schema), b'{"$ref":"#/$defs/%b"}' % name.encode())
    named: Json = msgspec.json.decode(text)
    return named


def _of(record: Record, schema: Json, whole: bool, glossary: Glossary) -> Json:
    """The schema of a record, with what is said of its fields."""
    members, defaults = schema["properties"], _defaults(record)
    modes = own_to_modes(record)
    required = list(members) if whole else schema["required"]
    for name, member in members.items():
        said = [note(record, name, glossary) or ""]
        if name in modes:
            said.append(with_modes(modes[name]))
        if name not in required and defaults.get(name):
            said.append(f"by default {msgspec.json.encode(defaults[name]).decode()}")
        if any(said):
            member["description"] = "; ".join(filter(None, said))
    if issubclass(record, Move):
        required = [name for name in required if name != "seat"]
    return {**schema, "required": required}


def _defaults(record: Record) -> Json:
    return {
        field.name: field.default
        for field in msgspec.structs.fields(record)
        if field.default is not msgspec.NODEFAULT
    }


def _tidy(schema: Any) -> Any:
    """The same schema in fewer words, and in those that generators of clients know."""
    if isinstance(schema, list):
        return [_tidy(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "discriminator" in schema:
        return _union([_plain(one["$ref"].rpartition("/")[2]) for one in schema["anyOf"]])
    tidy = {word: _tidy(one) for word, one in schema.items() if word not in OF_ITSELF}
    if "properties" in tidy:  # whose names are no words of a schema
        tidy["properties"] = {name: _tidy(one) for name, one in schema["properties"].items()}
    if tidy == {"type": "object"}:
        return {**tidy, "additionalProperties": {}}
    if "enum" in tidy:
        return _enum(tidy["enum"])
    return _list(tidy) if "prefixItems" in tidy else _perhaps(tidy)


def _perhaps(schema: Json) -> Json:
    """A plain value or null by its two types; words in lists of lists as any words, for generated
    Python cannot read them otherwise.
    """
    first, *others = schema.get("anyOf", [{}])
    if others == [{"type": "null"}] and first.get("type") in PLAIN and "enum" not in first:
        return {**first, "type": [first["type"], "null"]}
    inner = schema.get("items") or {}
    if "enum" in inner.get("items", {}):
        return {**schema, "items": {**inner, "items": {"type": "string"}}}
    return schema


def _list(schema: Json) -> Json:
    """A tuple as a list of this length, of its one kind of items or of any of its kinds."""
    first, *others = schema["prefixItems"]
    if any(other != first for other in others):
        return {**schema, "items": {"anyOf": schema["prefixItems"]}}
    return {word: one for word, one in schema.items() if word != "prefixItems"} | {"items": first}
