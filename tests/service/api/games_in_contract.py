"""The generated part of the contract: the records of each game and of the match, and examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.engine.contract.schemas import game_schemas, record_schemas
from domain.engine.game import Game
from domain.engine.resources.field_notes import read
from domain.match.events import MATCH_EVENTS
from service.http.contract import ANY, FOLDER, MATCH, prefix_of, read_files
from service.http.yaml_style import to_yaml
from tests.service.api.webhooks_in_contract import notice_schemas

Schemas = dict[str, Any]
Files = dict[str, Schemas]
HEADER = "# `make contract` writes this file, from {source}.\n"
KINDS = {
    "View": "What a seat, or a spectator, sees of a match.",
    "Board": "What stays the same all through a match.",
    "Position": "A position from which a match can start.",
    "Move": "A move of a game.",
    "Step": "What a seat has to decide.",
    "Event": "What happened in a match.",
    "Fault": "Why a move is against the rules of a game, for programs.",
    "EndReason": "How a game can end by its rules.",
}
"""What each game has a schema for. `Any` before one of these words stands for any game."""
CORE = "../openapi.yaml#/components/schemas"
COMPONENT = re.compile(rb'"#/components/schemas/(\w+)"')
EVENTS = {"Event": MATCH_EVENTS}


def generate_files(games: Mapping[str, Game[Any]]) -> Files:
    """The schemas of the match and of these games by file, with references between the files."""
    files: Files = {MATCH: {}, **{key: {} for key in games}}
    keys = sorted(games, key=len, reverse=True)
    for name, schema in generate_schemas(games).items():
        files[next((key for key in keys if name.startswith(prefix_of(key))), MATCH)][name] = schema
    return {stem: _link(stem, files) for stem in files}


def _link(stem: str, files: Files) -> Schemas:
    """The schemas of a file, with their references as paths of files."""
    places = {name: there for there, schemas in files.items() for name in schemas}

    def lead(found: re.Match[bytes]) -> bytes:
        there = places.get(name := found[1].decode())
        file = CORE if there is None else "#" if there == stem else f"{there}.yaml#"
        return f'"{file}/{name}"'.encode()

    linked: Schemas = msgspec.json.decode(COMPONENT.sub(lead, msgspec.json.encode(files[stem])))
    return linked


HINT = "`make contract` writes them anew; read the diff then"


def compare_or_write(folder: str, files: Files, source: str, update: bool) -> None:
    """Compare a folder of the contract with these files, or write them there in place of others."""
    if not update:
        stored = read_files(folder)
        changed = {
            f"{name}: {key}": (stored.get(name, {}).get(key), some.get(key))
            for name, some in files.items()
            for key in some
            if stored.get(name, {}).get(key) != some.get(key)
        }
        assert not changed, f"{HINT}: {changed}"
        assert stored == files, HINT
        return
    for path in (FOLDER / folder).glob("*.yaml"):
        path.unlink()
    for stem, content in files.items():
        text = HEADER.format(source=source) + to_yaml(content)
        (FOLDER / folder / f"{stem}.yaml").write_text(text, encoding="utf-8")


def generate_schemas(games: Mapping[str, Game[Any]]) -> Schemas:
    """Schemas of all records of these games and of the match, and of their common parts."""
    prefixes = {key: prefix_of(key) for key in games}
    found = add_prefix("Match", record_schemas(MATCH_EVENTS, (), EVENTS, read("domain.match")))
    for key, game in games.items():
        found |= add_prefix(prefixes[key], game_schemas(game))
    for kind in ("View", "Board", "Position"):
        found[ANY + kind] = one_of("game", {key: one + kind for key, one in prefixes.items()})
    for kind in ("Fault", "EndReason"):
        found[ANY + kind] = any_of(one + kind for one in prefixes.values())
    for kind in ("Move", "Step", "Event"):
        shared = ["Match"] if kind == "Event" else []
        found |= any_game(ANY + kind, kind, found, [*prefixes.values(), *shared])
    for one in prefixes.values():  # in a match of one game
        found |= any_game(f"{one}Event", "Event", found, [one, "Match"])
    for kind, about in KINDS.items():
        found[ANY + kind] = {"description": about, **found[ANY + kind]}
    how = found["MatchScoring"]["properties"]
    reasons = any_of([ANY + "EndReason", "MatchEarlyEndReason"])
    how["reason"] = {**reasons, "description": how["reason"]["description"]}
    names = reachable_names(found, [ANY, *prefixes.values()])
    reachable = {name: schema for name, schema in found.items() if name in names}
    return reachable | notice_schemas()


def reachable_names(schemas: Schemas, prefixes: Iterable[str]) -> set[str]:
    """The names of the schemas that a match or a request can contain."""
    names, waiting = set(), [f"{prefix}{kind}" for prefix in prefixes for kind in KINDS]
    while waiting:
        if (name := waiting.pop()) not in names:
            names.add(name)
            waiting += re.findall(r"#/components/schemas/(\w+)", str(schemas[name]))
    return names


def any_game(title: str, kind: str, found: Schemas, prefixes: list[str]) -> Schemas:
    """A record of any of these games, selected by its `type`; records with the same name in several
    games become one.
    """
    owners: dict[str, list[str]] = {}
    for first in prefixes:
        for name in found[f"{first}{kind}"]["discriminator"]["mapping"]:
            owners.setdefault(name, []).append(first)
    shared = {name: firsts for name, firsts in owners.items() if len(firsts) > 1}
    alike = {
        f"Any{name}": merge(name, [found[f"{first}{name}"] for first in firsts], found)
        for name, firsts in shared.items()
    }
    places = {
        name: f"Any{name}" if name in shared else f"{owners[name][0]}{name}"
        for name in sorted(owners)
    }
    return {**alike, title: one_of("type", places)}


def one_of(member: str, names: Mapping[str, str]) -> Schemas:
    """One of several schemas, selected by a member."""
    mapping = {value: place(name) for value, name in names.items()}
    return {
        "oneOf": [{"$ref": at} for at in mapping.values()],
        "discriminator": {"propertyName": member, "mapping": mapping},
    }


def any_of(names: Iterable[str]) -> Schemas:
    """The union of several enumerations."""
    return {"anyOf": [{"$ref": place(name)} for name in names]}


def merge(name: str, several: list[Schemas], found: Schemas) -> Schemas:
    """One schema for records of one name in several games: it allows what any of them has."""
    members: Schemas = {}
    texts: dict[str, list[str]] = {}
    for one in several:
        for member, schema in one["properties"].items():
            plain = {word: thing for word, thing in schema.items() if word != "description"}
            members[member] = common(members.get(member, plain), plain, found)
            if "description" in schema:
                texts.setdefault(member, []).append(schema["description"])
    for member, said in texts.items():
        members[member] = {**members[member], "description": "; or: ".join(dict.fromkeys(said))}
    required = [name for name in members if all(name in one["required"] for one in several)]
    about = f"`{name}` of any game that has one; `GET /v1/games/{{game}}` says what it is there"
    return {"description": about, "type": "object", "properties": members, "required": required}


def common(one: Any, other: Any, found: Schemas) -> Any:
    """The common part of two schemas: all of it; or that both are lists, strings, numbers or steps;
    or, of two enumerations, their union.
    """
    if one == other:
        return one
    if one.get("type") == other.get("type") == "array":
        return {"type": "array", "items": common(one["items"], other["items"], found)}
    targets = [
        found.get(schema.get("$ref", "").rpartition("/")[2], schema) for schema in (one, other)
    ]
    if all("discriminator" in target for target in targets) or one == {"$ref": place("AnyStep")}:
        return {"$ref": place("AnyStep")}
    assert targets[0]["type"] == targets[1]["type"], (one, other)
    if all("enum" in target for target in targets):
        words = {word for target in targets for word in target["enum"]}
        return {"type": targets[0]["type"], "enum": sorted(words)}
    return {"type": targets[0]["type"]}


def place(name: str) -> str:
    return f"#/components/schemas/{name}"


def add_prefix(first: str, defs: dict[str, Any]) -> dict[str, Any]:
    return {f"{first}{name}": move_references(schema, first) for name, schema in defs.items()}


def move_references(thing: Any, first: str) -> Any:
    """The same schema, with references adjusted to the contract."""
    if isinstance(thing, dict):
        return {word: move_references(one, first) for word, one in thing.items()}
    if isinstance(thing, list):
        return [move_references(one, first) for one in thing]
    if isinstance(thing, str) and thing.startswith("#/$defs/"):
        return place(first + thing.removeprefix("#/$defs/"))
    return thing
