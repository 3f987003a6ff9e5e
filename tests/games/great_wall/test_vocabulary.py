"""The language of the cards knows exactly the words of `vocabulary.json`."""

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain.games.great_wall import board
from domain.games.great_wall.cards import abilities, amounts, conditions, hordes, ops

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


PARAMETERS = [
    pytest.param(kind, name, told, id=f"{tag}.{name}")
    for entries, kinds in (
        (OPS, of(ops.Op)),
        (VOCABULARY["modifiers"], of(abilities.AnyModifier)),
    )
    for tag, kind in kinds.items()
    for name, told in entries[tag]["params"].items()
]


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


@pytest.mark.parametrize(("kind", "name", "told"), PARAMETERS)
def test_a_parameter_takes_exactly_the_words_of_the_vocabulary(kind, name, told):
    """GW-18.1, GW-18.2, GW-18.3, GW-18.6"""
    field = next(f for f in msgspec.structs.fields(kind) if f.encode_name == name)
    assert field.required == told.endswith("!")
    kinds, literal = words(told.removesuffix("!"))
    for right in [value for one in kinds for value in RIGHT[one]] + literal:
        msgspec.convert(right, field.type)
    for wrong in [value for one in kinds for value in WRONG[one]] + ["banana"]:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, field.type)


@pytest.mark.parametrize(
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
