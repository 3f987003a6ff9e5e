"""Moves that a player plans: made if what they pointed at is as it was, else dropped."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.codecs.json_codec import encode
from domain.engine.errors import NotYourTurn
from domain.match.decisions import pauses, proposals
from domain.match.decisions.planned_moves import (
    PlannedMove,
    PlannedMoves,
    find_planned_move,
    follow_pointer,
    hash_values,
    play_planned_move,
    public_view,
    update_plan,
)
from tests.engine.nim import GAME as NIM
from tests.engine.nim.table import Take
from tests.match.table import Table, clock


def begin(**more: Any) -> Table:
    return Table("ann bob", game=NIM, **more)


def planned(table: Table, *moves: Take, unchanged: tuple[str, ...] = ("/scores",)) -> PlannedMoves:
    """A plan as it is written now."""
    known = hash_values(public_view(table.match), unchanged)
    items = [PlannedMove(one.seat, encode(one).decode(), unchanged, known) for one in moves]
    return PlannedMoves(table.match.line[-1].version, tuple(items))


def after(table: Table, plan: PlannedMoves, forced: int = 0) -> PlannedMoves:
    return update_plan(table.match, plan, lambda version: version == forced)


def dropped(table: Table, plan: PlannedMoves) -> str | None:
    """Why a plan is dropped, if bob has to decide."""
    left, move = find_planned_move(table.match, "bob", after(table, plan), table.now)
    assert move is None or left.moves
    assert left.dropped is None or (left.moves, left.dropped.at) == ((), table.match.updated_at)
    return left.dropped and left.dropped.reason


def test_planned_moves_are_made_one_by_one_when_their_seat_has_to_decide() -> None:
    table = begin()
    plan = planned(table, Take(1, 1), Take(1, 2))
    for taken in 1, 2:
        assert find_planned_move(table.match, "bob", plan, table.now) == (plan, None)
        table.move(Take(0, 1))
        plan = after(table, plan)
        left, move = find_planned_move(table.match, "bob", plan, table.now)
        assert (left, move) == (plan, Take(1, taken))
        table.act(play_planned_move(table.match, Take(1, taken), table.now), "bob")
        plan = after(table, plan)
        assert (plan.version, len(plan.moves)) == (table.match.version, 2 - taken)
    assert plan.dropped is None


def test_a_plan_is_dropped_if_what_the_player_pointed_at_has_changed() -> None:
    table = begin()
    plans = {to: planned(table, Take(1, 1), unchanged=(to,)) for to in ("/heap", "/scores", "")}
    table.move(Take(0, 1))
    found = {to: dropped(table, plan) for to, plan in plans.items()}
    assert found == {"/heap": "changed", "/scores": None, "": "changed"}
    gone = planned(table, Take(1, 1))
    gone = replace(gone, moves=(replace(gone.moves[0], unchanged=("/no",)),))
    assert dropped(table, gone) == "changed"


def test_a_plan_is_dropped_if_its_move_is_illegal_or_no_move() -> None:
    table = begin()
    table.move(Take(0, 3))
    plan = planned(table, Take(1, 2), Take(1, 3))
    table.move(Take(1, 2))
    table.move(Take(0, 1))
    assert dropped(table, plan) == "illegal"
    unreadable = planned(table, Take(1, 1))
    unreadable = replace(unreadable, moves=(replace(unreadable.moves[0], move="{}"),))
    assert dropped(table, unreadable) == "illegal"


def test_another_move_of_the_player_drops_a_plan_but_not_the_planned_or_a_forced_one() -> None:
    table = begin()
    table.move(Take(0, 1))
    plans = planned(table, Take(1, 1)), planned(table, Take(1, 2), Take(1, 1))
    table.move(Take(1, 2))
    other, same = (after(table, plan) for plan in plans)
    assert other.dropped
    assert other.dropped.reason == "moved"
    assert [one.move for one in same.moves] == [encode(Take(1, 1)).decode()]
    assert after(table, plans[0], forced=table.match.version) == plans[0]


def test_an_undo_past_a_plan_drops_it() -> None:
    table = begin(undo="free")
    table.move(Take(0, 1))
    earlier = planned(table, Take(1, 1), Take(1, 1))
    table.move(Take(1, 1))
    made = after(table, earlier)
    assert made.version == table.match.version
    table.undo("bob")
    assert dropped(table, made) == "undone"
    assert dropped(table, earlier) is None
    assert find_planned_move(table.match, "bob", earlier, table.now)[1] is None


def test_a_plan_waits_while_the_match_is_paused_or_a_question_is_open() -> None:
    table = begin(clock=clock(per_move=3_600))
    table.move(Take(0, 1))
    plan = planned(table, Take(1, 1))
    for player in "ann", "bob":
        table.act(proposals.propose(table.match, player, "pause", table.now), player)
        assert find_planned_move(table.match, "bob", plan, table.now) == (plan, None)
    table.act(pauses.resume(table.match, "bob", table.now), "bob")
    assert find_planned_move(table.match, "bob", plan, table.now) == (plan, Take(1, 1))
    assert find_planned_move(table.match, "ann", plan, table.now) == (plan, None)
    late = table.wait(3_600)
    assert find_planned_move(late.match, "bob", plan, late.now) == (plan, None)
    with pytest.raises(NotYourTurn):
        play_planned_move(late.match, Take(1, 1), late.now)


def test_a_pointer_counts_once_so_that_a_plan_costs_few_views() -> None:
    document = public_view(begin().match)
    once, twice = ("", "/heap"), ("", "/heap", "", "/heap", "")
    assert hash_values(document, twice) == hash_values(document, once)
    assert hash_values(document, once) != hash_values(document, ("",))


def test_pointers_are_those_of_rfc_6901() -> None:
    document = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, "~1": 9, "0": {"k": None}}
    right = {
        "": document, "/foo": ["bar", "baz"], "/foo/0": "bar", "/": 0, "/a~1b": 1, "/m~0n": 8,
        "/~01": 9, "/0/k": None,
    }  # fmt: skip
    assert {pointer: follow_pointer(document, pointer) for pointer in right} == right
    wrong = "foo", "/foo/2", "/foo/-1", "/foo/00", "/foo/-", "/foo/0/x", "/x", "/0/k/", "#/foo"
    for pointer in wrong:
        with pytest.raises(LookupError):
            follow_pointer(document, pointer)
