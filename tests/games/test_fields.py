"""The notes on each field of the records of a game and of a match, as clients read them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from domain.engine.codecs.json_codec import event_types
from domain.engine.contract.schemas import Record, records_inside
from domain.engine.game import Game
from domain.engine.resources.field_notes import COMMON, Glossary, field_note, read
from domain.games import GAMES
from domain.match.events import MATCH_EVENTS
from tests.architecture.layout import find_citations
from tests.engine.toy import GAME as TOY

Field = tuple[Record, str]
MIN_CHARACTERS = 8
"""A shorter note says no more than the name."""


def fields_of(*kinds: Any) -> list[Field]:
    """All fields of these records and of those in them, as JSON has them."""
    return [
        (record, name)
        for record in records_inside(kinds)
        for name in (record.__struct_config__.tag_field, *record.__struct_fields__)
        if name is not None
    ]


def fields_in(game: Game[Any]) -> list[Field]:
    answers = game.answers
    told = (game.view_type, *answers.steps, *event_types(game))
    return fields_of(*told, *answers.moves, game.options, game.position_type)


OF_GAMES = {**GAMES, "toy": TOY}
MATCH = "match"


@cache
def described(key: str) -> tuple[list[Field], Glossary]:
    """The fields of a game, or of any match, and the texts about them."""
    if key == MATCH:
        return fields_of(*MATCH_EVENTS), read("domain.match")
    return fields_in(OF_GAMES[key]), OF_GAMES[key].resources.glossary


@pytest.fixture(params=[*OF_GAMES, MATCH])
def key(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def test_each_field_is_described(key: str) -> None:
    fields, glossary = described(key)
    said = {f"{one.__name__}.{name}": field_note(one, name, glossary) or "" for one, name in fields}
    short = [
        name
        for name, text in said.items()
        if len(text) < MIN_CHARACTERS and not name.endswith(".type")  # it has a single value
    ]
    assert short == [], "Describe these in fields.json of the game, or by a comment at the field."


def test_no_description_ends_like_a_sentence(key: str) -> None:
    """The contract may append a default."""
    fields, glossary = described(key)
    ends = {text for field in fields if (text := field_note(*field, glossary) or "").endswith(".")}
    assert ends == set()


def test_a_glossary_has_no_idle_entry(key: str) -> None:
    """Each entry describes an existing field that no narrower entry describes."""
    fields, glossary = described(key)
    idle = [entry for entry in glossary if not says(entry, fields, glossary)]
    assert idle == [], "Delete these from fields.json: no field needs them."


def test_what_all_games_share_has_no_idle_entry() -> None:
    used = {
        entry
        for entry in COMMON
        for fields, glossary in map(described, [*OF_GAMES, MATCH])
        if says(entry, fields, {**COMMON, **glossary})
    }
    assert used == set(COMMON)


@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_descriptions_cite_existing_rules(game: Game[Any]) -> None:
    texts = {
        text for field in fields_in(game) if (text := field_note(*field, game.resources.glossary))
    }
    assert find_citations(texts) - set(game.rulebook.rules) == set()


def says(entry: str, fields: list[Field], glossary: Glossary) -> bool:
    """Whether another text in the glossary changes the note of any field."""
    other = {**glossary, entry: "something else"}
    _, _, name = entry.rpartition(".")
    return any(
        field_note(record, field, other) != field_note(record, field, glossary)
        for record, field in fields
        if field == name
    )


def test_the_comment_or_the_text_at_a_field_comes_before_any_glossary() -> None:
    assert field_note(Spot, "row", {"Spot.row": "no"}) == "from the top, by # of the row"
    assert field_note(Spot, "col", {"Spot.col": "no"}) == "from the left, wherever that is"


def test_a_glossary_names_a_field_by_its_record_or_one_it_is_made_from() -> None:
    glossary = {"size": "any", "Spot.size": "of a spot"}
    assert field_note(Spot, "size", glossary) == field_note(Wide, "size", glossary) == "of a spot"
    assert field_note(Other, "size", glossary) == "any"
    assert field_note(Other, "colour", glossary) is None


class Spot(msgspec.Struct):
    """A place."""

    row: int  # from the top, by # of the row
    col: int
    """From the left,
    wherever that is."""
    size: int


class Wide(Spot):
    """A larger place."""


class Other(msgspec.Struct):
    """Something else."""

    size: int
    colour: str


def patterns_in(schema: Any) -> Iterator[tuple[str, int | None]]:
    """All patterns in a schema, with the maximum length of the value."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"], schema.get("maxLength")
        schema = list(schema.values())
    if isinstance(schema, list | tuple):
        for one in schema:
            yield from patterns_in(one)


@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_no_pattern_lets_a_line_end_follow(game: Game[Any]) -> None:
    """`$` does so in Python, and readers of the contract do not know `\\Z`; they know a length."""
    read = (game.options, game.position_type, *game.answers.moves)
    for pattern, longest in patterns_in(msgspec.json.schema_components(read)):
        assert longest is not None, pattern
