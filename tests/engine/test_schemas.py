"""The schemas of the records of a game, as clients read them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest

from domain.engine.contract.schemas import game_schemas, record_schemas
from domain.engine.play import Event, Move
from domain.games import GAMES
from tests.engine.toy import GAME

Colour = Literal["red", "blue"]


class Spot(msgspec.Struct, frozen=True):
    """A place."""

    row: int  # from the top
    col: int = 0


class Put(Move, frozen=True):
    """Put something on a spot."""

    spots: tuple[Spot, Spot]
    colour: Colour = "red"  # of the piece on the spot


class ThingHappened(Event[object]):
    """Something happened."""

    where: Spot
    what: tuple[str, int]
    colours: tuple[tuple[Colour, ...], ...] = ()
    seen: Colour | None = None


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    """The schemas of the two records and of those in them."""
    return record_schemas((ThingHappened,), (Put,), {"Move": (Put,), "Event": (ThingHappened,)}, {})


def test_a_field_is_described_by_the_comment_at_its_line(schemas: dict[str, Any]) -> None:
    assert schemas["Spot"]["properties"]["row"] == {
        "type": "integer",
        "description": "from the top",
    }


def test_responses_have_all_fields_and_requests_may_omit_those_with_a_default(
    schemas: dict[str, Any],
) -> None:
    assert schemas["ThingHappened"]["required"] == ["type", "where", "what", "colours", "seen"]
    assert schemas["Spot"]["required"] == ["row", "col"]
    assert schemas["Put"]["required"] == ["type", "spots"]


def test_a_default_is_said_in_words(schemas: dict[str, Any]) -> None:
    said = schemas["Put"]["properties"]["colour"]
    assert said == {
        "$ref": "#/$defs/Colour",
        "description": 'of the piece on the spot; by default "red"',
    }
    assert schemas["Colour"] == {"type": "string", "enum": ["blue", "red"]}


def test_the_seat_of_a_move_need_not_be_sent(schemas: dict[str, Any]) -> None:
    assert "seat" in schemas["Put"]["properties"]
    assert "seat" not in schemas["Put"]["required"]


def test_tuples_are_lists_of_fixed_length(schemas: dict[str, Any]) -> None:
    assert schemas["Put"]["properties"]["spots"] == {
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": {"$ref": "#/$defs/Spot"},
    }
    kinds = [{"type": "string"}, {"type": "integer"}]
    assert schemas["ThingHappened"]["properties"]["what"]["items"] == {"anyOf": kinds}


def test_the_type_member_selects_the_record_of_a_union(schemas: dict[str, Any]) -> None:
    assert schemas["Event"] == {
        "oneOf": [{"$ref": "#/$defs/ThingHappened"}],
        "discriminator": {
            "propertyName": "type",
            "mapping": {"ThingHappened": "#/$defs/ThingHappened"},
        },
    }


@pytest.mark.parametrize("game", [GAME, *GAMES.values()], ids=lambda game: game.key)
def test_a_game_describes_all_that_clients_meet(game) -> None:
    named = game_schemas(game)
    kinds = (*game.answers.moves, *game.answers.steps, *game.events)
    assert {kind.__name__ for kind in kinds} < named.keys()
    assert {"Awaiting", "View", "Position", "Options", "Move", "Step", "Event"} < named.keys()
    assert all("description" in one for one in named.values() if "properties" in one)
    assert named["View"]["properties"]["game"]["enum"] == [game.key]
    assert named["Awaiting"]["properties"]["agenda"]["items"] == {"$ref": "#/$defs/Step"}
