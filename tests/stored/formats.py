"""The formats of stored records, described so that two versions can be compared."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import msgspec
from msgspec import inspect as types

import domain
import projections
import service
import workers
from domain.games import GAMES
from domain.match.events import MATCH_EVENTS
from service.analytics.table_folders import TABLES_VERSION
from workers.tools.tables.parts.schema import TABLES, Column, columns

Json = dict[str, Any]
PACKED = "packed array"
"""The layout of records in entries (domain/engine/codecs/binary_codec.py)."""
TABLE = "table of version"
"""The layout of exported tables, before the version."""
PACKAGES = (domain, projections, service, workers)
NOT_STORED = {
    "service.channels.discord.client": "answers of Discord",
    "service.admin.error_log": "lines of logs",
    "service.api.matches.audit": "a cache in memory",
    "service.matches.points": "a cache in memory",
}
"""Modules with decoders of what Annals does not store, and what that is."""
READ_IN_FUNCTIONS = {
    "service.accounts.admin_log": ("AdminAction",),
    "service.analytics.table_folders": ("Manifest", "_Version"),
    "service.tlog.signed_state": ("SignedState",),
    "service.tlog.state": ("LogState",),
    "workers.host.reload": ("Handover",),
}
"""By module, stored records that it reads without a decoder of its own."""


def stored_formats() -> dict[str, Json]:
    """The formats of all stored records, by the group of their readers and their name."""
    found: dict[str, Json] = {}
    for group, roots in _packed():
        for name, form in _describe_all(roots).items():
            layout = form["as"].replace("object", PACKED)
            found[f"{group}: {name}"] = {**form, "as": layout}
    for group, roots in _read_as_they_are():
        for name, form in _describe_all(roots).items():
            found[f"{group}: {name}"] = form
    for table in TABLES:
        members = {one.name: _column(one) for one in columns(table)}
        found[f"tables: {table}"] = {"as": f"{TABLE} {TABLES_VERSION}", "members": members}
    return found


def digest_of_entries(formats: Mapping[str, Json]) -> str:
    """A digest of all that a version must know to read entries: their records, and the versions of
    the rules.
    """
    groups = {"match", "entry_codec", "binary_codec", "stubs"}
    groups |= {name for key in GAMES for name in (key, f"start of {key}")}
    found = {name: one for name, one in formats.items() if name.partition(": ")[0] in groups}
    rules = {key: game.rules for key, game in GAMES.items()}
    return sha256(msgspec.json.encode([found, rules], order="sorted")).hexdigest()[:16]


def _column(column: Column) -> list[str]:
    """The type of a column, and whether it may be null."""
    return [column.sql, "NULL"] if column.nullable else [column.sql]


def _packed() -> Iterator[tuple[str, list[Any]]]:
    """By group, the records in entries."""
    yield "match", list(MATCH_EVENTS)
    for game in GAMES.values():
        yield game.key, [*game.events, *game.answers.moves, *game.answers.steps]


def _read_as_they_are() -> Iterator[tuple[str, list[Any]]]:
    """By group, the types that msgspec itself reads from stored bytes."""
    for game in GAMES.values():
        yield f"start of {game.key}", [game.setup_type, game.position_type]
    for module in _modules():
        if module.__name__ not in NOT_STORED and (read := list(_read_in(module))):
            yield module.__name__.rpartition(".")[2], read


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                yield import_module(found.name)


def _read_in(module: ModuleType) -> Iterator[Any]:
    """The types that a module decodes."""
    for value in vars(module).values():
        is_decoder = isinstance(value, msgspec.json.Decoder | msgspec.msgpack.Decoder)
        if is_decoder and value.type is not Any and not _is_imported(module, value):
            yield value.type
    for name in READ_IN_FUNCTIONS.get(module.__name__, ()):
        yield getattr(module, name)


def _is_imported(module: ModuleType, decoder: object) -> bool:
    """Whether a decoder is that of another module, whose group has its type already."""
    names = [name for name, value in vars(module).items() if value is decoder]
    source = inspect.getsource(module)
    return not any(f"{name} = " in source or f", {name} = " in source for name in names)


def _describe_all(roots: list[Any]) -> dict[str, Json]:
    """All records that these types reach."""
    found: dict[str, Json] = {}
    for one in types.multi_type_info(roots):
        _collect(one, found)
    return dict(sorted(found.items()))


def _collect(kind: types.Type, found: dict[str, Json]) -> None:
    if isinstance(kind, types.StructType):
        name = kind.cls.__name__
        if name in found:
            return
        members: dict[str, list[str]] = {}
        found[name] = {"as": _layout(kind), "members": members}
        for field in kind.fields:
            members[field.encode_name] = _member(field)
    for part in _parts(kind):
        _collect(part, found)


def _layout(kind: types.StructType) -> str:
    return "array" if kind.array_like else "object" if kind.tag is None else f"object {kind.tag}"


def _member(field: types.Field) -> list[str]:
    """The type of a member, and its default if it has one."""
    written = [_write(field.type)]
    if field.default is not msgspec.NODEFAULT:
        written.append(repr(field.default))
    elif field.default_factory is not msgspec.NODEFAULT:
        written.append(f"{field.default_factory.__name__}()")
    elif not field.required:  # so msgspec describes what may be UNSET
        written.append("UNSET")
    return written


def _parts(kind: types.Type) -> Iterator[types.Type]:
    """The types in a type."""
    match kind:
        case types.StructType(fields=members):
            yield from (one.type for one in members)
        case types.UnionType(types=several) | types.TupleType(item_types=several):
            yield from several
        case types.DictType(key_type=key, value_type=value):
            yield from (key, value)
        case types.Metadata(type=inner):
            yield inner
        case _ if hasattr(kind, "item_type"):
            yield kind.item_type


def _write(kind: types.Type) -> str:
    """A type as text: the same text for the same stored values."""
    match kind:
        case types.StructType(cls=cls):
            text = cls.__name__
        case types.Metadata(type=inner):
            text = _write(inner)
        case types.UnionType(types=several):
            text = " | ".join(sorted(map(_write, several)))
        case types.LiteralType(values=values):
            text = " | ".join(sorted(map(repr, values)))
        case types.DictType(key_type=key, value_type=value):
            text = f"dict[{_write(key)}, {_write(value)}]"
        case types.TupleType(item_types=several):
            text = f"tuple[{', '.join(map(_write, several))}]"
        case _ if hasattr(kind, "item_type"):
            text = f"list[{_write(kind.item_type)}]"
        case _:
            text = type(kind).__name__.removesuffix("Type").lower()
    return text


def incompatible(before: Mapping[str, Json], now: Mapping[str, Json]) -> list[str]:
    """What of the stored records of before cannot be read now, one sentence each."""
    faults = [f"{name} is gone." for name in before.keys() - now.keys()]
    for name in before.keys() & now.keys():
        faults += [f"{name}{fault}" for fault in _changes(before[name], now[name])]
    return sorted(faults)


def _changes(before: Json, now: Json) -> Iterator[str]:
    old, new = before["members"], now["members"]
    if now["as"].startswith(TABLE):  # another version is in other folders
        if before["as"] == now["as"] and list(old.items()) != list(new.items()):
            yield " has other columns in the same version: increase TABLES_VERSION."
        return
    if before["as"] != now["as"]:
        yield f" was stored as {before['as']}, now as {now['as']}."
    if "array" in before["as"] and list(new)[: len(old)] != list(old):
        yield " has other members at the places of those stored."
    for name in old:
        yield from _changes_of_member(name, old[name], new.get(name))
    if PACKED in now["as"] and sum(member[1:] == ["UNSET"] for member in new.values()) > 1:
        yield " has two members that may be UNSET, and an array cannot leave out the first alone."
    for name in new.keys() - old.keys():
        yield from _faults_of_new_member(name, new[name], PACKED in now["as"])


def _changes_of_member(name: str, old: list[str], new: list[str] | None) -> Iterator[str]:
    if new is None:
        yield f".{name} is gone."
        return
    if not _includes(new[0], old[0]):
        yield f".{name} was {old[0]}, now it is {new[0]}."
    if old[1:] and old[1:] != new[1:]:
        yield f".{name} had the default {old[1]}, now it has {new[1] if new[1:] else 'none'}."


def _includes(new: str, old: str) -> bool:
    """Whether each value of a type, as text, is one of another type."""
    return all(
        any(one == other or _includes_parts(one, other) for one in _split(new, " | "))
        for other in _split(old, " | ")
    )


def _includes_parts(new: str, old: str) -> bool:
    """The same for the items of lists, tuples and dicts."""
    (head, _, inner), (old_head, _, old_inner) = new.partition("["), old.partition("[")
    parts, old_parts = _split(inner[:-1], ", "), _split(old_inner[:-1], ", ")
    return (
        head == old_head
        and inner != ""
        and len(parts) == len(old_parts)
        and all(map(_includes, parts, old_parts))
    )


def _split(text: str, separator: str) -> list[str]:
    """The parts between separators that are in no brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth == 0 and text.startswith(separator, place):
            parts.append(text[start:place])
            start = place + len(separator)
    return [*parts, text[start:]]


def _faults_of_new_member(name: str, member: list[str], is_packed: bool) -> Iterator[str]:
    if not member[1:]:
        yield f".{name} is new and has no default."
    elif is_packed and member[1] != "UNSET":
        yield f".{name} is new and changes the texts of earlier entries: let it be UNSET."
