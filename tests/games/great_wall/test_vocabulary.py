"""The language of the cards knows exactly the words of `vocabulary.json`."""

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain.games.great_wall import board
from domain.games.great_wall.cards import abilities, amounts, conditions, hordes, ops
from tests.support.for_each import for_each

VOCABULARY = json.loads((Path(__file__).parent / "vocabulary.json").read_text())
OPS = {**VOCABULARY["ops"], "copy_command": {"params": {}}}
COUNT = {"count": "overseers", "times": "supporting_advisors", "max": 3}
DO = [{"op": "gain", "honor": 1}]
SELECTORS = VOCABULARY["location_selectors"]
RIGHT = {
    "N": [0, 2, COUNT],
    "int": [1, 2],
    "bool": [True, False],
    "restypes": [["wood"], VOCABULARY["resources"]],
    "soldiers": [["archer"], VOCABULARY["soldiers"]],
    "loc": SELECTORS,
    "str": VOCABULARY["resources"],
    "cost": [{"any_of_wsg": 2}, {"wood": 1, "stone": 1, "gold": 1, "chi": 1, "honor": 1}],
    "cond": [{"soldier_on_this_horde": True}],
    "ops": [DO, []],
    "options": [[DO, DO], [[]]],
}
WRONG = {
    "N": [-1, 1.5, "one", {"count": "moons"}, {"mul": 1}],
    "int": ["one", 1.5],
    "bool": [1, "yes"],
    "restypes": [[], ["iron"], "wood"],
    "soldiers": [[], ["elephant"], "archer"],
    "loc": ["warehouse", "none", 1],
    "str": ["iron", 1],
    "cost": [{}, {"iron": 1}, {"wood": -1}, 2],
    "cond": [{}, {"moon": True}, True],
    "ops": [[{"op": "dance"}], {"op": "gain", "honor": 1}],
    "options": [DO, [[{"op": "dance"}]]],
}


def of(union):
    """By word, the records of a union."""
    return {kind.__struct_config__.tag: kind for kind in get_args(union)}


def words(kind):
    """The kinds of a parameter in the vocabulary, and its possible words."""
    if kind.startswith("enum:"):
        return [], kind.removeprefix("enum:").split("|")
    names = kind.split("|")
    return [name for name in names if name in RIGHT], [name for name in names if name not in RIGHT]


def test_operations_and_modifiers_are_those_of_the_vocabulary():
    """GW-18.6, GW-18.7, GW-18.14"""
    assert set(of(ops.Op)) == set(OPS)
    assert set(of(abilities.AnyModifier)) == set(VOCABULARY["modifiers"])
    for kinds, entries in (
        (of(ops.Op), OPS),
        (of(abilities.AnyModifier), VOCABULARY["modifiers"]),
    ):
        for tag, kind in kinds.items():
            fields = {field.encode_name for field in msgspec.structs.fields(kind)}
            assert fields == set(entries[tag]["params"]), tag


@pytest.mark.parametrize(
    ("entries", "union"), [(OPS, ops.Op), (VOCABULARY["modifiers"], abilities.AnyModifier)]
)
def test_a_parameter_takes_exactly_the_words_of_the_vocabulary(entries, union):
    """GW-18.1, GW-18.2, GW-18.3, GW-18.6"""
    for tag, kind in of(union).items():
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        for name, told in entries[tag]["params"].items():
            field, (kinds, literal) = fields[name], words(told.removesuffix("!"))
            assert field.required == told.endswith("!"), (tag, name)
            for right in [value for one in kinds for value in RIGHT[one]] + literal:
                assert is_taken(right, field.type), (tag, name, right)
            for wrong in [value for one in kinds for value in WRONG[one]] + ["banana"]:
                assert not is_taken(wrong, field.type), (tag, name, wrong)


def is_taken(value, kind):
    """Whether a value can be one of this type."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


@for_each(
    ("literal", "words"),
    [
        (amounts.Counter, VOCABULARY["counters"]),
        (abilities.Trigger, VOCABULARY["triggers"]),
        (abilities.Window, VOCABULARY["tactic_windows"]),
        (hordes.AbilityKind, VOCABULARY["horde_abilities"]),
        (board.Resource, VOCABULARY["resources"]),
        (board.Soldier, VOCABULARY["soldiers"]),
    ],
)
def test_lists_of_words_are_those_of_the_vocabulary(literal, words):
    """GW-18.7, GW-18.8"""
    assert list(get_args(literal)) == list(words)


def test_conditions_are_those_of_the_vocabulary():
    """GW-18.7"""
    fields = {field.encode_name for field in msgspec.structs.fields(conditions.Condition)}
    assert fields == set(VOCABULARY["conditions"])
