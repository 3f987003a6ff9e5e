"""JSON schemas of the records of a game, for authors of clients."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import ismodule
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.engine.codecs.json_codec import event_types
from domain.engine.contract.refusals import rule_faults
from domain.engine.game import Game, Json
from domain.engine.options import mode_specific_options, modes_note
from domain.engine.play import Move
from domain.engine.resources.field_notes import FILE_NAME, Glossary, field_note
from domain.engine.resources.texts import MissingText

Record = type[msgspec.Struct]
TAG_FIELDS = ("type", "game")
"""Members that name the kind of a record, or its game."""
NULLABLE_TYPES = ("string", "integer", "array")
PLAIN_DEFAULTS = (str, int, float, tuple, type(None), msgspec.UnsetType)
OMITTED_KEYWORDS = {"title", "default"}
"""Schema keywords that are left out or said otherwise: some client generators treat a member with a
default as always present.
"""


def game_schemas(game: Game[Any]) -> Json:
    """JSON schemas of a game by name: its records, the unions `Move`, `Step` and `Event`, and its
    closed lists, among them `Fault` and `EndReason`. Raises MissingText if a field has no
    description.
    """
    answers, events = game.answers, event_types(game)
    sent = (game.view_type, *answers.steps, *events)
    received = (*answers.moves, game.options, game.position_type)
    unions = {"Move": answers.moves, "Step": answers.steps, "Event": events}
    schemas = record_schemas(sent, received, unions, game.resources.glossary)
    _check_described(game, schemas)
    closed = {"Fault": _faults(game), "EndReason": _ends(game)}
    return {**_split_board(schemas, game.static_view_fields), **closed}


def _check_described(game: Game[Any], schemas: Json) -> None:
    for record, schema in schemas.items():
        for name, member in schema.get("properties", {}).items():
            if name not in TAG_FIELDS and "description" not in member:
                raise MissingText(
                    f"Nothing describes `{record}.{name}` of the game `{game.key}`: write a "
                    f"comment at the field, or `{record}.{name}` or `{name}` in {FILE_NAME}."
                )


def _faults(game: Game[Any]) -> Json:
    """The closed list of values for the `fault` of a refusal by the rules."""
    known = rule_faults(game)
    description = (
        "Why a move is against the rules, for programs; `x-rules` has the numbers of the rules."
    )
    return {"description": description, **_enum(known), "x-rules": known}


def _ends(game: Game[Any]) -> Json:
    """The closed list of reasons for which the rules end the game."""
    return {"description": "How the game can end by its rules.", **_enum(game.end_reasons)}


def _split_board(found: Json, static_fields: Sequence[str]) -> Json:
    """The schemas and `Board`: the members of `View` that never change and may be missing."""
    view, members = found["View"], found["View"]["properties"]
    board = {
        "description": "What stays the same all through a match.",
        "type": "object",
        "properties": {name: members[name] for name in ("game", *static_fields)},
        "required": ["game", *static_fields],
    }
    changing = [name for name in view["required"] if name not in static_fields]
    return {**found, "View": {**view, "required": changing}, "Board": board}


def record_schemas(
    sent: Sequence[Any],
    received: Sequence[Any],
    unions: Mapping[str, Sequence[Any]],
    glossary: Glossary,
) -> Json:
    """Schemas by name of the records that clients receive and send, and of all records inside them.

    Fields get their description from the source or the glossary. A union is discriminated by
    `type`. Records that clients receive list every member as required, even those with a default,
    except those that older entries lack.
    """
    hints_of = cache(_hints_of)
    whole = {
        one.__name__
        for one in records_inside(sent, hints_of)
        if not one.__struct_config__.omit_defaults
    }
    named = {one.__name__: one for one in records_inside((*sent, *received), hints_of)}
    _, components = msgspec.json.schema_components(
        (*sent, *received), ref_template="#/$defs/{name}"
    )
    texts = {_base_name(name): _simplify(schema) for name, schema in components.items()}
    assert texts.keys() == named.keys(), texts.keys() ^ named.keys()
    united = {name: _union(_names(kinds)) for name, kinds in unions.items()}
    united |= _enum_schemas(named.values())
    with_references = _add_references(texts, united)
    told_of = {
        name: _record_schema(named[name], with_references[name], name in whole, glossary)
        for name in with_references
    }
    return {**told_of, **united}


def _enum_schemas(kinds: Iterable[Record]) -> Json:
    """The named closed lists of words in the modules of these records."""
    modules = {sys.modules[kind.__module__] for kind in kinds}
    spaces = modules | {thing for one in modules for thing in vars(one).values() if ismodule(thing)}
    return {
        name: _enum(get_args(thing))
        for space in sorted(spaces, key=lambda one: one.__name__)
        for name, thing in vars(space).items()
        if get_origin(thing) is Literal
    }


def _enum(values: Iterable[Any]) -> Json:
    """A schema that allows one of these values, sorted."""
    among = sorted(values)
    return {"type": "string" if isinstance(among[0], str) else "integer", "enum": among}


def _hints_of(record: Record) -> Mapping[str, Any]:
    """The types of fields by name; to evaluate them takes a tenth of a millisecond each."""
    return get_type_hints(record, include_extras=True)


def records_inside(
    kinds: Iterable[Any], hints_of: Callable[[Record], Mapping[str, Any]] = _hints_of
) -> Iterator[Record]:
    """The record classes among these types and inside them, without duplicates."""
    waiting, known = list(kinds), set()
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        origin = get_origin(kind) or kind
        if isinstance(origin, type) and issubclass(origin, msgspec.Struct) and origin not in known:
            known.add(origin)
            yield origin
            waiting += hints_of(origin).values()


def _base_name(name: str) -> str:
    """The name of a record without the type arguments of a generic one."""
    return name.partition("_")[0]


def _names(kinds: Sequence[Any]) -> list[str]:
    return [(get_origin(kind) or kind).__name__ for kind in kinds]


def _union(names: Sequence[str]) -> Json:
    """A union in the order of names, so that equal unions have equal schemas."""
    mapping = {name: f"#/$defs/{name}" for name in sorted(names)}
    return {
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _add_references(schemas: Json, united: Json) -> Json:
    """The schemas with references in place of inlined unions and closed lists."""
    text = msgspec.json.encode(schemas)
    for name, schema in united.items():
        text = text.replace(msgspec.json.encode(schema), b'{"$ref":"#/$defs/%b"}' % name.encode())
    named: Json = msgspec.json.decode(text)
    return named


def _record_schema(record: Record, schema: Json, whole: bool, glossary: Glossary) -> Json:
    """The schema of a record, with descriptions of its fields."""
    members, defaults = schema["properties"], _defaults(record)
    modes = mode_specific_options(record)
    always = [name for name in members if defaults.get(name) is not msgspec.UNSET]
    required = always if whole else schema["required"]
    for name, member in members.items():
        notes = [field_note(record, name, glossary) or ""]
        if name in modes:
            notes.append(modes_note(modes[name]))
        if name not in required and defaults.get(name):
            notes.append(f"by default {msgspec.json.encode(defaults[name]).decode()}")
        if any(notes):
            member["description"] = "; ".join(filter(None, notes))
    if issubclass(record, Move):
        required = [name for name in required if name != "seat"]
    return {**schema, "required": required}


def _defaults(record: Record) -> Json:
    """The defaults of fields by name, without those that are made anew each time, such as lists."""
    # msgspec.structs.fields would evaluate all types.
    defaults = record.__struct_defaults__
    names = record.__struct_fields__[len(record.__struct_fields__) - len(defaults) :]
    found = zip(names, defaults, strict=True)
    return {name: default for name, default in found if isinstance(default, PLAIN_DEFAULTS)}


def _simplify(schema: Any) -> Any:
    """The schema in a shorter form that client generators understand."""
    if isinstance(schema, list):
        return [_simplify(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "discriminator" in schema:
        return _union([_base_name(one["$ref"].rpartition("/")[2]) for one in schema["anyOf"]])
    tidy = {word: _simplify(one) for word, one in schema.items() if word not in OMITTED_KEYWORDS}
    if "properties" in tidy:  # its keys are member names, not keywords
        tidy["properties"] = {name: _simplify(one) for name, one in schema["properties"].items()}
    if tidy == {"type": "object"}:
        return {**tidy, "additionalProperties": {}}
    if "enum" in tidy:
        return _enum(tidy["enum"])
    return _simplify_tuple(tidy) if "prefixItems" in tidy else _simplify_nullable(tidy)


def _simplify_nullable(schema: Json) -> Json:
    """Write a nullable plain value as a list of two types. In lists of lists, replace an enum by
    any string, because generated Python cannot read the enum there.
    """
    first, *others = schema.get("anyOf", [{}])
    if others == [{"type": "null"}] and first.get("type") in NULLABLE_TYPES and "enum" not in first:
        return {**first, "type": [first["type"], "null"]}
    inner = schema.get("items") or {}
    if "enum" in inner.get("items", {}):
        return {**schema, "items": {**inner, "items": {"type": "string"}}}
    return schema


def _simplify_tuple(schema: Json) -> Json:
    """Write a tuple as a list of its length, whose items have the one kind or any of the kinds."""
    first, *others = schema["prefixItems"]
    if any(other != first for other in others):
        return {**schema, "items": {"anyOf": schema["prefixItems"]}}
    return {word: one for word, one in schema.items() if word != "prefixItems"} | {"items": first}
