"""The worked examples, as data."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import Refusal
from domain.engine.game import decide, fold, judge, seats_to_move
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import COLORS, OFF
from domain.games.tigris_euphrates.events.conflicts import RevoltDecided, WarDecided
from domain.games.tigris_euphrates.moves import (
    BuildMonument,
    ChooseColor,
    CommitTiles,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
)
from domain.games.tigris_euphrates.rules.monuments import available
from domain.games.tigris_euphrates.scoring import standings
from domain.games.tigris_euphrates.state.steps import (
    ChooseWar,
    EndTurn,
    OfferMonument,
    Reinforce,
    Turn,
)
from tests.games.tigris_euphrates.table import Bag, all_tiles, table
from tests.support.for_each import for_each

EXAMPLES = json.loads(files(__package__).joinpath("examples.json").read_text())["examples"]
FAULTS = {"not_active_player": "not_your_turn", "not_your_decision": "not_your_turn"}


@for_each("example", EXAMPLES)
def test_a_worked_example(example):
    assert set(example["rules"]) <= set(GAME.rulebook.rules)
    before = state = position_of(example["position"])
    tiles, history = all_tiles(before), []
    bag = example["position"].get("bag")
    dice = Bag(*bag) if bag else Luck(0)
    for step in example["steps"]:
        move = move_of(step)
        if "illegal" in step:
            check_refused(state, move, step["illegal"])
            continue
        events = decide(GAME, state, move, dice)
        history += events
        state = fold(state.copy(), events)
        assert all_tiles(state) == tiles
        check(before, state, history, step.get("then", {}))
    check(before, state, history, example["expect"])


def check_refused(state, move, fault):
    written = GAME.write_position(state)
    with pytest.raises(Refusal) as refused:
        judge(GAME, state, move)
    code = getattr(refused.value, "fault", refused.value.code)
    assert code == FAULTS.get(fault, fault)
    assert GAME.write_position(state) == written


def check(before, state, history, expect):
    """Every expectation, by its name."""
    for name, wanted in expect.items():
        CHECKS[name](before, state, history, wanted)


def vp_gain(before, state, _, wanted):
    gained = {
        str(seat): {
            color: now - then
            for color, now, then in zip(COLORS, points, before.points[seat], strict=True)
            if now != then
        }
        for seat, points in enumerate(state.points)
    }
    assert {seat: gains for seat, gains in gained.items() if gains} == wanted


def treasure_gain(before, state, _, wanted):
    pairs = enumerate(zip(state.treasures_taken, before.treasures_taken, strict=True))
    assert {str(seat): now - then for seat, (now, then) in pairs if now != then} == wanted


def board(_, state, __, wanted):
    assert {name: content(state, name) for name in wanted} == wanted


def content(state, name):
    what = state.cells[state.board.number[name]]
    words = ["empty", *COLORS, "facedown", "catastrophe", "?"]
    return words[what] if what < 8 else f"leader:{(what - 8) // 4}:{COLORS[what % 4]}"


def leaders_off(_, state, __, wanted):
    assert all(state.leaders[4 * seat + COLORS.index(color)] == OFF for seat, color in wanted)


def conflicts(_, __, history, wanted):
    kinds = {RevoltDecided: "revolt", WarDecided: "war"}
    assert [
        {
            "kind": kinds[type(event)],
            "leader": event.color,
            "winner": event.winner,
            "loser": event.loser,
            "attacker_total": event.attacker_total,
            "defender_total": event.defender_total,
        }
        for event in history
        if type(event) in kinds
    ] == wanted


def check_removed(_, __, history, wanted):
    wars = [event for event in history if isinstance(event, WarDecided)]
    assert [list(war.removed) for war in wars] == wanted


def pending(_, state, __, wanted):
    """The pending decision, other than the next action."""
    step = state.agenda[-1] if state.agenda else None
    if wanted is None:
        assert step is None or isinstance(step, Turn)
        return
    seen = {"player": step.seats[0], **describe_step(state, step)}
    assert {name: seen[name] for name in wanted} == wanted


def describe_step(state, step):
    match step:
        case Reinforce(conflict=conflict):
            return {
                "kind": "support",
                "conflict": conflict.kind,
                "color": conflict.color,
                "attacker": conflict.attacker,
                "defender": conflict.defender,
                "attacker_board": conflict.attacker_board,
                "defender_board": conflict.defender_board,
            }
        case ChooseWar(colors=colors):
            return {"kind": "war_order", "colors": sorted(colors)}
        case OfferMonument(color=color, squares=squares):
            pairs = [GAME_PAIRS[number] for number in available(state, COLORS.index(color))]
            return {
                "kind": "monument",
                "color": color,
                "squares": list(squares),
                "monuments": sorted(pairs),
            }
    raise AssertionError(step)


GAME_PAIRS = [
    sorted(pair.split("-"))
    for pair in ("black-red", "black-green", "black-blue", "red-green", "red-blue", "green-blue")
]


def active(_, state, __, wanted):
    assert [step.seat for step in state.agenda if isinstance(step, EndTurn)] == [wanted]
    assert wanted in seats_to_move(state)


def result(_, state, __, wanted):
    assert list(state.winners) == wanted["winners"]
    assert [line.rank for line in GAME.scoring(state).lines] == wanted["ranks"]
    assert [list(totals) for totals in standings(state)] == wanted["sorted_totals"]


def hand(_, state, __, wanted):
    for seat, tiles in wanted.items():
        assert GAME.write_position(state)["hands"][int(seat)] == tiles


def hand_count(_, state, __, wanted):
    assert {seat: sum(state.hands[int(seat)]) for seat in wanted} == wanted


def treasures(state, names):
    return {bool(state.treasures & state.board.bits[state.board.number[name]]) for name in names}


CHECKS: dict[str, Any] = {
    "vp_gain": vp_gain,
    "treasure_gain": treasure_gain,
    "treasure_on": lambda _, state, __, wanted: treasures(state, wanted) == {True} or fail(),
    "treasure_off": lambda _, state, __, wanted: treasures(state, wanted) == {False} or fail(),
    "board": board,
    "leaders_off": leaders_off,
    "conflicts": conflicts,
    "removed": check_removed,
    "pending": pending,
    "hand_count": hand_count,
    "hand": hand,
    "bag_count": lambda _, state, __, wanted: sum(state.bag) == wanted or fail(),
    "active": active,
    "actions_left": lambda _, state, __, wanted: count_actions(state) == wanted or fail(),
    "game_over": lambda _, state, __, wanted: (state.ended is not None) == wanted or fail(),
    "result": result,
}


def fail():
    raise AssertionError


def count_actions(state):
    return sum(step.left for step in state.agenda if isinstance(step, Turn))


MOVES: dict[str, tuple[type[Any], tuple[str, ...]]] = {
    "place_leader": (PlaceLeader, ("color", "at")),
    "place_tile": (PlaceTile, ("color", "at")),
    "place_catastrophe": (PlaceCatastrophe, ("at",)),
    "commit_support": (CommitTiles, ("count",)),
    "choose_war": (ChooseColor, ("color",)),
    "pass": (Pass, ()),
}


def move_of(step):
    if step["do"] == "build_monument":
        return BuildMonument(step["player"], "-".join(step["colors"]), step["top_left"])
    kind, fields = MOVES[step["do"]]
    return kind(step["player"], *(step[name] for name in fields))


def position_of(data):
    """A table from a position of the examples; if they leave a hand out, no player draws."""
    players = data["players"]
    leaders = [{} for _ in players]
    for name, (seat, color) in data.get("leaders", {}).items():
        leaders[seat][color] = name
    bag = data.get("bag")
    return table(
        seats=len(players),
        tiles=data.get("tiles"),
        taken=tuple(data.get("treasures_taken", ())),
        leaders=tuple(leaders),
        monuments={"-".join(m["colors"]): m["top_left"] for m in data.get("monuments", ())},
        hands=[player.get("hand", {}) for player in players],
        points=[player.get("vp", {}) for player in players],
        treasures_taken=[player.get("treasures", 0) for player in players],
        bag={color: bag.count(color) for color in COLORS} if bag else None,
        active=data.get("active", 0),
        left=data.get("actions_left", 2),
    )
