"""The contract of the REST interface, put together from its files.

`openapi.yaml` and `openapi/parts/` are the core, for people to read. Its references lead into
`openapi/`: `match.yaml` has the records that all matches share, and `<game>.yaml` has those of a
game. Examples are in `openapi/examples/`, by the operation or the response that they belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import yaml  # type: ignore[import-untyped]  # it has no types

from service.http.json_responses import Json

FOLDER = Path(__file__).parents[1] / "shipped"
PARTS = "openapi/parts"
"""The folder with parts of the core: paths and schemas that few readers need."""
FOR_CLIENTS = "/v1/"
"""What the paths begin with that clients of a game request, except for NOT_FOR_CLIENTS. Others are
pages for people, probes and the files of the contract.
"""
NOT_FOR_CLIENTS = (
    *("/v1/admin/", "/v1/discord/", "/v1/me/discord", "/v1/session"),
    *("/v1/matches/{match_id}/talk", "/v1/matches/{match_id}/notes", "/v1/me/mutes"),
    *("/v1/log/", "/v1/analytics/tables", "/v1/analytics/games/", "/v1/analytics/players/"),
    *("/v1/me/follows", "/v1/me/blocks", "/v1/me/mail", "/v1/me/presence", "/v1/me/notices"),
    "/v1/matches/{match_id}/notices",
    *("/v1/me/forced-moves", "/v1/matches/{match_id}/forced-moves"),
    *("/v1/matches/{match_id}/plan", "/v1/me/push-subscriptions"),
)
"""What the paths begin with that only operators, Discord, the pages of this service, people who
talk and analysts request, or that belongs to no game: the log of all matches, exported tables, and
the lists of other players. Notes, planned moves, and whether forced moves play themselves, are for
people.
"""
MATCH = "match"
"""The name of the file with the records that all matches share."""
COMMON = "common"
"""The name of the file with the examples that belong to no game."""
ANY = "Any"
"""The prefix of the schemas that stand for the records of any game."""
SCHEMA_REFERENCE = re.compile(rb'"(?:[\w./]+\.yaml)?#/(?:components/schemas/)?(\w+)"')
"""A reference to a schema, in any of the files."""
COMPONENT_REFERENCE = re.compile(rb'"#/components/(\w+)/([\w.-]+)"')
"""A reference to a component of any kind, in a document that was put together."""
SECURITY = "securitySchemes"
"""The components that are named by operations, without a reference."""
JSON = "application/json"


class ContractFiles(NamedTuple):
    """The core, and by file its schemas and its examples; these by name of their media type."""

    core: Json
    schemas: Mapping[str, Json]
    examples: Mapping[str, Json]

    def whole(self) -> Json:
        """Return the contract with the records of all games."""
        return bundle(self.core, self.schemas.values(), self.examples.values())

    def without_games(self) -> Json:
        """Return the contract without the records of games: where they belong, anything fits."""
        schemas = {
            name: {"description": schema["description"]} if name.startswith(ANY) else schema
            for name, schema in self.schemas[MATCH].items()
        }
        return bundle(self.core, [schemas], [self.examples[COMMON]])

    def games(self) -> Iterator[str]:
        """Yield the keys of the games."""
        yield from (name for name in self.schemas if name != MATCH)

    def of_game(self, game: str) -> Json:
        """Return the contract for clients of one game, with its examples: its records stand where
        the whole contract has those of any game. It has only the operations below FOR_CLIENTS, and
        their tags and components.
        """
        schemas = [self.schemas[MATCH], self.schemas[game]]
        paths = {
            path: item
            for path, item in self.core["paths"].items()
            if path.startswith(FOR_CLIENTS) and not path.startswith(NOT_FOR_CLIENTS)
        }
        core = _with_used_tags({**self.core, "paths": paths})
        return bundle(core, schemas, [self.examples[game]], prefix_of(game))


def read_contract() -> ContractFiles:
    """Read all files of the contract."""
    return ContractFiles(read_core(), read_files("openapi"), read_files("openapi/examples"))


def read_core() -> Json:
    """Read `openapi.yaml` with the paths and schemas of its parts."""
    core = read_main()
    for part in read_files(PARTS).values():
        core["paths"] |= part["paths"]
        core["components"]["schemas"] |= part["schemas"]
    return core


def read_main() -> Json:
    """Read `openapi.yaml`."""
    return _read_yaml(FOLDER / "openapi.yaml")


def read_files(folder: str) -> dict[str, Json]:
    """Read the files of a folder of the contract, by their name."""
    return {path.stem: _read_yaml(path) for path in sorted((FOLDER / folder).glob("*.yaml"))}


def prefix_of(game: str) -> str:
    """Return the prefix of all schema names of a game: `Qin`, `TigrisEuphrates`."""
    return "".join(word.capitalize() for word in game.split("_"))


def bundle(core: Json, files: Iterable[Json], examples: Iterable[Json], prefix: str = ANY) -> Json:
    """Return the core with the schemas and examples of these files as one document: all references
    stay inside it, and it has only the components that it uses. A reference to `Any…` leads to the
    schema with this prefix, if there is one.
    """
    schemas = dict(core["components"]["schemas"])
    for more in files:
        schemas |= more

    def lead(found: re.Match[bytes]) -> bytes:
        name = found[1].decode()
        own = prefix + name.removeprefix(ANY)
        name = own if name.startswith(ANY) and own in schemas else name
        return f'"#/components/schemas/{name}"'.encode()

    document = {**core, "components": {**core["components"], "schemas": schemas}}
    text = SCHEMA_REFERENCE.sub(lead, msgspec.json.encode(document))
    bundled: Json = msgspec.json.decode(text)
    _drop_unused_components(bundled)
    _attach_examples(bundled, examples)
    return bundled


def media_types(document: Json) -> Iterator[tuple[str, Json]]:
    """Yield the media types that are sent and received, each with the name of its examples."""
    for item in (*document["paths"].values(), *document.get("webhooks", {}).values()):
        for operation in item.values():
            name = operation["operationId"]
            yield from _contents(f"{name}.request", operation.get("requestBody", {}))
            for response in operation["responses"].values():
                yield from _contents(name, response)
    for name, response in document["components"]["responses"].items():
        yield from _contents(name, response)


def _contents(name: str, message: Json) -> Iterator[tuple[str, Json]]:
    contents = message.get("content", {})
    for kind, media in contents.items():
        is_main = len(contents) == 1 or kind == JSON
        yield name if is_main else f"{name}.{kind.rpartition('/')[2]}", media


def _read_yaml(path: Path) -> Json:
    found: Json = yaml.load(path.read_bytes(), yaml.CSafeLoader)
    return found


def _with_used_tags(core: Json) -> Json:
    """Return the core with only those tags that one of its operations or messages has."""
    items = (*core["paths"].values(), *core["webhooks"].values())
    used = {tag for item in items for operation in item.values() for tag in operation["tags"]}
    return {**core, "tags": [tag for tag in core["tags"] if tag["name"] in used]}


def _drop_unused_components(document: Json) -> None:
    """Remove the components that nothing else in the document needs, except for its security."""
    components = document.pop("components")
    used, waiting = set[tuple[str, str]](), _referenced_components(document)
    while waiting:
        used |= waiting
        things = (components[kind][name] for kind, name in waiting)
        waiting = set().union(*map(_referenced_components, things)) - used
    document["components"] = {
        kind: {
            name: one for name, one in things.items() if kind == SECURITY or (kind, name) in used
        }
        for kind, things in components.items()
    }


def _referenced_components(thing: object) -> set[tuple[str, str]]:
    found = COMPONENT_REFERENCE.findall(msgspec.json.encode(thing))
    return {(kind.decode(), name.decode()) for kind, name in found}


def _attach_examples(document: Json, files: Iterable[Json]) -> None:
    """Add the examples of these files to the media types that they belong to."""
    named = list(media_types(document))
    for examples in files:
        for name, media in named:
            for title, value in examples.get(name, {}).items():
                media.setdefault("examples", {})[title] = {"value": value}
