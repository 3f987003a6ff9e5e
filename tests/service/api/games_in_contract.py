"""The generated part of openapi.yaml: the records of each game and of the match, and examples."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import yaml

from domain.engine.contract.schemas import game_schemas, record_schemas
from domain.engine.game import Game
from domain.engine.resources.field_notes import read
from domain.match.events import MATCH_EVENTS

MARK = "    # From here on this file is written by `make contract`, from the records in the code.\n"
EXAMPLES = "  # These are real answers; `make contract` writes them, too.\n  examples:\n"
REFERENCE = re.compile(r" +(?P<game>\w+): \{\$ref: '#/components/examples/[\w.]+\.(?P=game)'\}\n")
WIDTH = 121  # with the newline
Schemas = dict[str, Any]
KINDS = ("View", "Board", "Position", "Move", "Step", "Event", "Fault", "EndReason")
MATCH = {"Event": MATCH_EVENTS}


class InOneLine(yaml.SafeDumper):
    """A dumper that writes repeated objects in full."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def contract_with(text: str, games: Mapping[str, Game[Any]]) -> str:
    """The text of the contract with these games in place of its present ones."""
    own, _, old = text.partition(MARK)
    schemas = (write_yaml(name, one, "    ") for name, one in generate_schemas(games).items())
    return own + MARK + "".join(schemas) + "".join(old.partition(EXAMPLES)[1:])


def with_examples(text: str, examples: Mapping[str, Any], games: Collection[str]) -> str:
    """The text of the contract with its examples replaced by these: a reference to the example of
    one game becomes one reference for each of these games.
    """
    own = REFERENCE.sub(lambda found: refer_to_examples(found, games), text.partition(EXAMPLES)[0])
    return own + EXAMPLES + "".join(write_yaml(name, one, "    ") for name, one in examples.items())


def refer_to_examples(found: re.Match[str], games: Collection[str]) -> str:
    """The line that refers to the example of a game; the first game's line becomes one per game."""
    line, game = found[0], found["game"]
    every = games if game == min(games) else () if game in games else (game,)
    return "".join(line.replace(game, name) for name in every)


def generate_schemas(games: Mapping[str, Game[Any]]) -> Schemas:
    """Schemas of all records of these games and of the match, and of their common parts."""
    by_game = {prefix(game): game_schemas(game) for game in games.values()}
    found = add_prefix("Match", record_schemas(MATCH_EVENTS, (), MATCH, read("domain.match")))
    for first, defs in by_game.items():
        found |= add_prefix(first, defs)
    found["AnyView"] = one_of("game", {k: f"{prefix(g)}View" for k, g in games.items()})
    found["AnyBoard"] = one_of("game", {k: f"{prefix(g)}Board" for k, g in games.items()})
    found["AnyPosition"] = one_of("game", {k: f"{prefix(g)}Position" for k, g in games.items()})
    found["AnyFault"] = any_of(f"{first}Fault" for first in by_game)
    found["AnyEndReason"] = any_of(
        [*(f"{first}EndReason" for first in by_game), "MatchEarlyEndReason"]
    )
    how = found["MatchScoring"]["properties"]
    how["reason"] = {"$ref": place("AnyEndReason"), "description": how["reason"]["description"]}
    for kind in ("Move", "Step", "Event"):
        found |= any_game(kind, found, [*by_game, "Match"] if kind == "Event" else list(by_game))
    names = reachable_names(found)
    return {name: schema for name, schema in found.items() if name in names}


def reachable_names(schemas: Schemas) -> set[str]:
    """The names of the schemas that a match or a request can contain."""
    names, waiting = set(), [f"Any{kind}" for kind in KINDS]
    while waiting:
        if (name := waiting.pop()) not in names:
            names.add(name)
            waiting += re.findall(r"#/components/schemas/(\w+)", str(schemas[name]))
    return names


def any_game(kind: str, found: Schemas, prefixes: list[str]) -> Schemas:
    """A record of any game, selected by its `type`; records with the same name in several games
    become one.
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
    return {**alike, f"Any{kind}": one_of("type", places)}


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


def prefix(game: Game[Any]) -> str:
    """The prefix of all schema names of a game: `Qin`, `TigrisEuphrates`."""
    return "".join(word.capitalize() for word in game.key.split("_"))


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


def lines_of(text: str, indent: str) -> str:
    """A text unchanged; it may start with spaces, and end with or without a newline."""
    lines = (f"{indent}{line}\n" if line else "\n" for line in text.removesuffix("\n").split("\n"))
    return ("|2+\n" if text.endswith("\n") else "|2-\n") + "".join(lines)


def write_yaml(name: str, thing: Any, indent: str) -> str:
    """A member as YAML: on one line if it fits, else one line for each of its members."""
    start = f"{indent}{name}: " if name else f"{indent}- "
    if isinstance(thing, str) and "\n" in thing and "\r" not in thing:
        return start + lines_of(thing, f"{indent}  ")
    line = yaml.dump(thing, Dumper=InOneLine, default_flow_style=True, width=10**9, sort_keys=False)
    if len(start) + len(line) <= WIDTH or not isinstance(thing, dict | list):
        return start + line.removesuffix("...\n")
    if isinstance(thing, list) and all(isinstance(one, str) for one in thing):
        wrapped = textwrap.fill(line.strip(), 110 - len(indent)).replace("\n", f"\n{indent}  ")
        return f"{indent}{name}:\n{indent}  {wrapped}\n"
    inner = thing.items() if isinstance(thing, dict) else (("", one) for one in thing)
    lines = "".join(write_yaml(key, one, f"{indent}  ") for key, one in inner)
    return f"{indent}{name}:\n{lines}" if name else f"{indent}-{lines[len(indent) + 1 :]}"
