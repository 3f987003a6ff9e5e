"""Agendas that no game reaches: which step waits for which seat, and what may lie below it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import DiscardTile, Pass, PlaceLeader, PlaceTile
from tests.engine.table import contents
from tests.games.tigris_euphrates.positions import read, revolt, war
from tests.games.tigris_euphrates.table import did, hands, table


def swapping(discarded: int = 1) -> dict[str, Any]:
    """Seat 0 has put these tiles away in its first action."""
    state = table(hands=hands("rrrggg", "bbb"))
    return GAME.write_position(did(state, *[DiscardTile(0, "red")] * discarded))


def offer_monument() -> dict[str, Any]:
    """Seat 0 has completed a square of markets."""
    square = {"G5": "green", "H5": "green", "G6": "green"}
    state = table(tiles=square, hands=hands("gr", "bb"))
    return GAME.write_position(did(state, PlaceTile(0, "green", "H6")))


def ask_for_treasure() -> dict[str, Any]:
    """The trader of seat 1 is in a kingdom with two treasures, neither of them in a corner."""
    state = table(
        tiles={"G3": "red", "H3": "red", "I3": "red", "I4": "red", "I5": "red"},
        leaders=({}, {"green": "F2"}),
        hands=hands("rr", ""),
    )
    return GAME.write_position(did(state, PlaceTile(0, "red", "I6")))


def choose_war() -> dict[str, Any]:
    """Seat 0 chooses which of two wars comes first."""
    state = table(
        tiles={"G3": "black", "H3": "black", "J3": "black", "K3": "black", "L3": "red"},
        leaders=({"black": "F4", "red": "F2"}, {"black": "L4", "red": "L2"}),
        hands=hands("g", ""),
    )
    return GAME.write_position(did(state, PlaceTile(0, "green", "I3")))


def at(position: dict[str, Any], kind: str, **changes: Any) -> dict[str, Any]:
    """The position with each step of this kind changed like this."""
    for step in position["agenda"]:
        if step["type"] == kind:
            step.update(changes)
    return position


def instead(position: dict[str, Any], *agenda: dict[str, Any]) -> dict[str, Any]:
    """The position with another agenda."""
    return {**position, "agenda": agenda}


def below(position: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    """The position with further steps below the one that waits."""
    *agenda, waiting = position["agenda"]
    return instead(position, *agenda, *others, waiting)


def twice(position: dict[str, Any], kind: str) -> dict[str, Any]:
    """The position with a step of this kind two times."""
    agenda = position["agenda"]
    return instead(position, *[step for s in agenda for step in [s] * (1 + (s["type"] == kind))])


NOBODY: dict[str, Any] = {"seats": []}
END, TURN = {"type": "EndTurn", "seat": 0}, {"type": "Turn", "seats": [0], "left": 1}
SWAP = {"type": "Swap", "seats": [0], "discarded": 1}
SERVE = {"type": "ServeTraders", "seat": 0}
OFFER = {"type": "OfferMonument", "seats": [0], "color": "green", "squares": ["G5"]}
CHOICE = {"type": "ChooseTreasure", "seats": [1], "choices": ["F3", "I7"]}
ATTACK = revolt()["agenda"][-1]
HELD = {"hands": [{"red": 2}, {"red": 2}]}

POSSIBLE = {
    "swap": swapping,
    "five away": lambda: swapping(3),
    "offer": offer_monument,
    "treasures": ask_for_treasure,
    "revolt": revolt,
    "war": war,
    "wars": choose_war,
}

IMPOSSIBLE: dict[str, tuple[dict[str, Any], str]] = {
    "an end of the turn that waits": (at(war(), "EndTurn", seats=[0]), "the `agenda` is"),
    "traders that wait": (at(war(), "ServeTraders", seats=[0]), "the `agenda` is"),
    "squares that wait": (at(war(), "FindSquares", seats=[0]), "the `agenda` is"),
    "a decision that waits": (at(revolt(), "Resolve", seats=[0]), "the `agenda` is"),
    "wars that wait": (at(war(), "FindWars", seats=[0]), "the `agenda` is"),
    "a defence of nobody": (
        {**revolt(), "agenda": [*revolt()["agenda"][:-2], {**ATTACK, **NOBODY}, ATTACK]},
        "the `agenda` is",
    ),
    "an offer to nobody": (below(swapping(), {**OFFER, **NOBODY}), "the `agenda` is"),
    "a swap of nobody": (below(offer_monument(), {**SWAP, **NOBODY}), "the `agenda` is"),
    "treasures for nobody": (below(swapping(), {**CHOICE, **NOBODY}), "the `agenda` is"),
    "treasures below a turn": (
        {**HELD, "agenda": [END, TURN, SERVE]},
        "must wait for one seat",
    ),
    "six tiles away and six in the hand": (
        at({**swapping(), "hands": [{"red": 6}, {}], "bag": {}}, "Swap", discarded=6),
        "In a swap some of the six",
    ),
    "six tiles away and one in the hand": (at(swapping(), "Swap", discarded=6), "In a swap some"),
    "no tile away": (at(swapping(), "Swap", discarded=0), "In a swap some"),
    "more away than was put away": (at(swapping(), "Swap", discarded=2), "In a swap some"),
    "a swap with an empty hand": ({**swapping(), "hands": [{}, {}], "bag": {}}, "In a swap some"),
    "an attacker asked twice": (
        {**revolt(), "agenda": [*revolt()["agenda"][:-2], ATTACK, ATTACK]},
        "the `agenda` is",
    ),
    "a defender asked first": (
        {**revolt(), "agenda": [*revolt()["agenda"][:-2], *reversed(revolt()["agenda"][-2:])]},
        "the `agenda` is",
    ),
    "a revolt fought twice": (twice(revolt(), "Resolve"), "the `agenda` is"),
    "two actions left below a swap": (at(swapping(), "Turn", left=2), "one action left"),
    "two actions left below a war": (at(war(), "Turn", left=2), "one action left"),
    "a swap of another": (
        {**at(swapping(), "Swap", seats=[1]), "discarded": [{}, {"red": 1}]},
        "The seat of EndTurn",
    ),
    "an offer to another": (
        at(offer_monument(), "OfferMonument", seats=[1]),
        "The seat of EndTurn",
    ),
    "a choice of wars of another": (
        at(choose_war(), "ChooseWar", seats=[1]),
        "The seat of EndTurn",
    ),
    "an offer of two seats": (
        at(offer_monument(), "OfferMonument", seats=[0, 1]),
        "The seat of EndTurn",
    ),
    "no square": (at(offer_monument(), "OfferMonument", squares=[]), "No tile completed"),
    "a square twice": (
        at(offer_monument(), "OfferMonument", squares=["G5", "G5"]),
        "No tile completed",
    ),
    "a square elsewhere": (
        at(offer_monument(), "OfferMonument", squares=["F3"]),
        "No tile completed",
    ),
    "a square at the edge": (
        at(offer_monument(), "OfferMonument", squares=["P11"]),
        "No tile completed",
    ),
    "a square off the board": (
        at(offer_monument(), "OfferMonument", squares=["Z1"]),
        "no cell 'Z1'",
    ),
    "another colour": (at(offer_monument(), "OfferMonument", color="red"), "No tile completed"),
    "no monument left": (
        {
            **offer_monument(),
            "monuments": {"black-green": "A5", "red-green": "C9", "green-blue": "K7"},
        },
        "No monument with green",
    ),
    "treasures far apart": (
        {
            **HELD,
            "agenda": [
                END,
                TURN,
                SERVE,
                {"type": "ChooseTreasure", "seats": [0], "choices": ["B2", "P2"]},
            ],
        },
        "no such treasures",
    ),
    "treasures for another": (
        at(ask_for_treasure(), "ChooseTreasure", seats=[0]),
        "no such treasures",
    ),
    "a treasure alone": (
        at(ask_for_treasure(), "ChooseTreasure", choices=["F3"]),
        "no such treasures",
    ),
    "a treasure of nowhere": (
        at(ask_for_treasure(), "ChooseTreasure", choices=["F3", "Z3"]),
        "no cell 'Z3'",
    ),
    "an action within an action": (twice(swapping(), "Turn"), "the `agenda` is"),
    "two ends of a turn": (twice(swapping(), "EndTurn"), "the `agenda` is"),
    "a swap within a swap": (twice(swapping(), "Swap"), "the `agenda` is"),
    "nothing to be done": (instead(swapping()), "Somebody must have to decide"),
    "no end of the turn": (instead(swapping(), TURN, SWAP), "must be EndTurn"),
    "wars looked for elsewhere": (at(war(), "FindSquares", at="A1"), "the `agenda` is"),
    "one colour of two": (at(choose_war(), "ChooseWar", colors=["red"]), "all colours"),
    "no colour": (at(choose_war(), "ChooseWar", colors=[]), "all colours"),
    "tiles of the defender": ({**war(), "committed": [1, 1]}, "by the attacker"),
    "tiles in a turn": ({**HELD, "committed": [1, 0]}, "by the attacker"),
    "more tiles than a hand": ({**war(), "committed": [200, 0]}, "in a hand of six"),
    "a side that is not connected": (
        {**war(), "united": {**war()["united"], "sides": [["A1"], ["L4"]]}},
        "beside the unification tile",
    ),
    "sides that leave something out": (
        {**war(), "united": {**war()["united"], "sides": [["H3"], ["J3"]]}},
        "all leaders of the kingdom",
    ),
    "a union by no tile": ({**war(), "united": {**war()["united"], "at": "A1"}}, "No tile on A1"),
    "a bag that ran out and has tiles": ({**HELD, "short": True}, "not `short`"),
}


def plain(position: dict[str, Any]) -> Any:
    """As JSON has it."""
    return msgspec.json.decode(json_codec.encode(position))


@pytest.mark.parametrize("position", POSSIBLE.values(), ids=POSSIBLE)
def test_what_a_game_comes_to_is_read(position):
    """TE-3.1, TE-8.1, TE-9.3, TE-11.3, TE-12.1, TE-13.2"""
    told = position()
    assert len(told["agenda"]) > 2
    assert plain(GAME.write_position(read(**told))) == plain(told)


@pytest.mark.parametrize(("position", "sentence"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_no_game_comes_to_is_refused(position, sentence):
    """TE-3.1, TE-3.3, TE-3.4, TE-8.1, TE-9.3, TE-11.3, TE-11.10, TE-12.1, TE-13.2, TE-15.1"""
    with pytest.raises(BadPosition, match=sentence) as refused:
        read(**position)
    assert refused.value.reason.endswith(".")


def test_the_last_action_has_no_turn_below_it():
    """TE-3.1"""
    state = did(table(hands=hands("rr", "")), Pass(0), DiscardTile(0, "red"))
    position = GAME.write_position(state)
    assert [step["type"] for step in position["agenda"]] == ["EndTurn", "Swap"]
    assert contents(read(**position)) == contents(state)


def test_the_one_who_places_a_leader_attacks():
    """TE-9.2, TE-10.1"""
    state = did(table(leaders=({}, {"black": "F4"})), PlaceLeader(0, "black", "F2"))
    position = GAME.write_position(state)
    for step in position["agenda"]:
        if "conflict" in step:
            told = step["conflict"]
            told["attacker"], told["defender"] = 1, 0
            told["attacker_at"], told["defender_at"] = told["defender_at"], told["attacker_at"]
            step["seats"] = [1 - seat for seat in step["seats"]]
    with pytest.raises(BadPosition, match="Whoever placed a leader attacks"):
        read(**position)
