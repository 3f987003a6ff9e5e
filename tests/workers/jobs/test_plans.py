"""Forced and planned moves are made: once, whoever is killed, and for those who want it alone."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.codecs.json_codec import encode, find_move
from domain.engine.game import legal_moves
from domain.match.decisions import absence, playing, proposals
from domain.match.decisions.absence import DAY_MS
from domain.match.decisions.forced_moves import find_forced_move
from domain.match.decisions.planned_moves import (
    PlanDrop,
    PlannedMove,
    PlannedMoves,
    hash_values,
    public_view,
)
from domain.match.log import Draft, read_events, read_move
from domain.match.social_events import ForcedMovePlayed
from domain.match.state import Chair, Match
from service.accounts.forced_moves import set_forced_moves
from service.matches.commands import Metadata, execute
from service.store.planning.plans import Plan, Plans
from tests.support.killing import kill_before_change
from tests.workers.office import Office
from workers.jobs import match_jobs
from workers.tools.check.check_indexes import find_work_faults

PLAYERS = [Chair(player=name) for name in ("ada", "ben", "cid")]


def begin(office: Office) -> str:
    """A match whose first turn is that of ada."""
    return office.open(*PLAYERS, game="hansa_teutonica", options={"first_player": "seat:0"})


def place(match: Match, now: int) -> Draft:
    """The seat that decides puts a piece on the map."""
    moves = legal_moves(match.game, match.state, match.seats_to_move[0])
    [first, *_] = [one for one in moves if type(one).__name__ == "PlacePiece"]
    return playing.move(match, first, now)


def choose(office: Office, match_id: str, plan: Plan, later: int = 0) -> None:
    """Ada plans this."""
    Plans(office.annals.store).change(match_id, "ada", lambda _: plan, office.now + later)


def plan_places(office: Office, match_id: str) -> list[str]:
    """Ada plans to place two pieces, if the scores are as now; the moves."""
    match = office.match(match_id)
    moves = legal_moves(match.game, match.state, 0)
    some = [encode(one).decode() for one in moves if type(one).__name__ == "PlacePiece"][:2]
    known = hash_values(public_view(match), ["/scores"])
    items = tuple(PlannedMove(0, move, ("/scores",), known) for move in some)
    choose(office, match_id, Plan(planned=PlannedMoves(match.line[-1].version, items)))
    return some


def propose_replacement(player: str, match: Match, now: int) -> Draft:
    return proposals.propose(match, player, "replacement", now)


def planned_moves(office: Office, match_id: str) -> PlannedMoves:
    found = Plans(office.annals.store).of_player(match_id, "ada").planned
    assert found
    return found


def act(office: Office, match_id: str) -> None:
    """Use up the actions of ada: all that is left is the end of the turn."""
    while find_forced_move(office.match(match_id), 0, office.now) is None:
        office.do(match_id, place)


def forced_in(office: Office, match_id: str) -> list[int]:
    """The versions of the entries with a forced move."""
    game = office.match(match_id).game
    return [
        entry.version
        for entry in office.annals.store.read(match_id)
        if any(isinstance(one, ForcedMovePlayed) for one in read_events(game, entry.events))
    ]


@pytest.mark.parametrize("by", ["account", "match"])
def test_a_forced_move_plays_itself_for_those_who_want_it(office: Office, by: str) -> None:
    if by == "account":
        set_forced_moves(office.annals.store.redis, "ada", automatic=True)
    match_id = begin(office)
    office.work()
    if by == "match":
        choose(office, match_id, Plan(True))
    act(office, match_id)
    before = office.match(match_id).version
    office.work()
    match = office.match(match_id)
    assert (match.version, match.seats_to_move) == (before + 1, (1,))
    assert forced_in(office, match_id) == [match.version]
    assert office.annals.store.read(match_id)[-1].actor == "ada"
    assert office.work() == 0
    assert office.annals.store.count_work()["plans"] == 0
    assert list(find_work_faults(office.annals.store, match)) == []


def test_a_choice_made_while_a_worker_looks_is_followed(office: Office) -> None:
    match_id, plans = begin(office), Plans(office.annals.store)
    choose(office, match_id, Plan(False))
    looked = plans.due(match_id)
    choose(office, match_id, Plan(True), 1)
    plans.finish(match_id, office.match(match_id).version, looked)
    assert plans.due(match_id) == office.now + 1


def test_for_others_and_in_a_match_without_it_nothing_plays_itself(office: Office) -> None:
    set_forced_moves(office.annals.store.redis, "ada", automatic=True)
    match_id = begin(office)
    office.work()
    choose(office, match_id, Plan(False))
    act(office, match_id)
    office.work()
    assert forced_in(office, match_id) == []
    choose(office, match_id, Plan())
    office.work()
    assert len(forced_in(office, match_id)) == 1  # at once: it is due when the choice changes
    for _ in range(2):
        office.do(match_id, place, "ben")
    assert office.work() == 1
    assert len(forced_in(office, match_id)) == 1


def test_without_plans_an_entry_makes_no_work(office: Office) -> None:
    match_id = begin(office)
    assert office.work() == 0
    office.do(match_id, place)
    assert office.work() == 0


def test_the_end_of_a_match_erases_its_plans(office: Office) -> None:
    match_id = begin(office)
    choose(office, match_id, Plan(True))
    for player in "ada", "ben":
        office.do(match_id, lambda match, now, who=player: playing.resign(match, who, now), player)
    office.work()
    assert not [*office.annals.store.redis.scan_iter("*:plans:*")]


def test_a_kill_at_any_change_neither_loses_the_move_nor_makes_it_twice(office: Office) -> None:
    set_forced_moves(office.annals.store.redis, "ada", automatic=True)
    number, killed = 0, True
    while killed:
        number += 1
        match_id = begin(office)
        office.work()
        act(office, match_id)
        version = office.match(match_id).version

        def work(match_id: str = match_id, version: int = version) -> None:
            office.annals.store.redis.connection_pool.disconnect()
            match_jobs.plan(match_id, version)

        killed = kill_before_change(work, number)
        office.work()
        assert len(forced_in(office, match_id)) == 1, number
        assert office.match(match_id).version == version + 1, number
    assert number > 3


def test_a_kill_at_any_change_makes_each_planned_move_once(office: Office) -> None:
    number, killed = 0, True
    while killed:
        number += 1
        match_id = begin(office)
        office.work()
        version = office.match(match_id).version
        planned = plan_places(office, match_id)

        def work(match_id: str = match_id, version: int = version) -> None:
            office.annals.store.redis.connection_pool.disconnect()
            match_jobs.plan(match_id, version)

        killed = kill_before_change(work, number)
        office.work()
        match = office.match(match_id)
        made = [encode(read_move(match.game, one.move)).decode() for one in match.line if one.move]
        assert (made, match.version) == (planned, version + 2), number
        assert planned_moves(office, match_id) == PlannedMoves(match.version), number
        assert office.annals.store.read(match_id)[-1].actor == "ada"
        assert forced_in(office, match_id) == []
    assert number > 3


def test_a_plan_that_does_not_fit_is_dropped_and_its_player_can_read_why(office: Office) -> None:
    match_id = begin(office)
    office.work()
    _, second = plan_places(office, match_id)
    match = office.match(match_id)
    other = find_move(match.game, 0, msgspec.json.decode(second))
    assert other
    office.do(match_id, lambda match, now: playing.move(match, other, now))
    office.work()
    drop = planned_moves(office, match_id).dropped
    assert drop == PlanDrop(office.match(match_id).updated_at, "moved")
    assert office.match(match_id).version == match.version + 1


def test_two_who_change_a_plan_at_once_overwrite_nothing(office: Office) -> None:
    match_id, seen = begin(office), list[Plan]()

    def change(plan: Plan) -> Plan:
        if not seen:
            choose(office, match_id, Plan(True))
        seen.append(plan)
        return replace(plan, planned=PlannedMoves(1))

    plan = Plans(office.annals.store).change(match_id, "ada", change)
    assert seen == [Plan(), Plan(True)]
    assert plan == Plan(True, PlannedMoves(1))
    assert plan == Plans(office.annals.store).of_player(match_id, "ada")


def test_plans_that_are_erased_meanwhile_stay_so(office: Office) -> None:
    """The move of a plan has ended the match: another worker erases the plans before the first has
    recorded what is left of this one, or a player removes theirs then.
    """
    match_id, plans = begin(office), Plans(office.annals.store)
    choose(office, match_id, Plan(planned=PlannedMoves(1)))

    def change(plan: Plan) -> Plan:
        plans.erase(match_id)
        return replace(plan, planned=None)

    assert plans.change(match_id, "ada", change) == Plan()
    assert not [*office.annals.store.redis.scan_iter("*:plans:*")]


def test_what_a_replaced_player_writes_meanwhile_is_erased(office: Office) -> None:
    """Or what a killed process has left of them."""
    match_id = office.open(*PLAYERS, options={"first_player": "seat:0"}, patience_ms=DAY_MS)
    office.pass_time(DAY_MS)
    office.do(match_id, absence.end_patience, "system")
    for player in "ben", "cid":
        office.do(match_id, partial(propose_replacement, player), player)
    office.do(match_id, lambda match, _: absence.replace_player(match, "dan", 0), "dan")
    choose(office, match_id, Plan(planned=PlannedMoves(1)))
    Plans(office.annals.store).change(match_id, "dan", lambda _: Plan(False))
    office.work()
    assert Plans(office.annals.store).of_match(match_id) == {"dan": Plan(False)}


def test_a_move_of_the_player_meanwhile_is_made_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player ends the turn themselves just before the job does."""
    match_id = begin(office)
    office.work()
    choose(office, match_id, Plan(True))
    act(office, match_id)
    real: Any = execute

    def late(annals: Any, match: str, metadata: Metadata, decision: Any) -> Any:
        [end] = legal_moves(office.match(match).game, office.match(match).state, 0)
        real(annals, match, Metadata("ada"), lambda match, now: playing.move(match, end, now))
        return real(annals, match, metadata, decision)

    monkeypatch.setattr("workers.jobs.plans.execute", late)
    version = office.match(match_id).version
    match_jobs.plan(match_id, version)
    assert (office.match(match_id).version, forced_in(office, match_id)) == (version + 1, [])
