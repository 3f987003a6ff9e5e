"""Commands: decided again if another writer appended first, recorded once, or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from domain.engine.errors import NotYourTurn, Refusal
from domain.engine.game import legal_moves
from domain.match.decisions import playing
from domain.match.log import Draft
from domain.match.state import Match
from service.matches import commands
from service.matches.commands import Metadata, create, execute, new_match_id
from service.matches.container import Annals, open_annals
from service.runtime.errors import KeyReused, NotFound, StaleVersion, TooManyTables, WriteConflict
from service.runtime.settings import read_settings
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON, plan

ANN = Metadata("ann")


@pytest.fixture
def start(redis_client: Redis, redis_url: str) -> Callable[[], Annals]:
    """Starts a process of the service, which shares only the store with the others."""
    settings = read_settings({"REDIS_URL": redis_url})
    return lambda: replace(open_annals(settings, {"toy": TOY}), now=lambda: NOON)


@pytest.fixture
def annals(start: Callable[[], Annals]) -> Annals:
    annals = start()
    open_table(annals)
    return annals


def open_table(
    annals: Annals, metadata: Metadata = ANN, seats: str = "ann bob", **more: Any
) -> Any:
    return create(annals, plan(seats, **more), TOY, metadata)


def move(match: Match, now: int) -> Draft:
    """The first legal move of the first seat that has to decide."""
    return playing.move(match, legal_moves(TOY, match.state, match.seats_to_move[0])[0], now)


def resign(match: Match, now: int) -> Draft:
    return playing.resign(match, "ann", now)


def kinds(annals: Annals) -> list[str]:
    return [entry.kind for entry in annals.store.read("m")]


def test_a_decision_is_recorded_with_its_caller_and_time(annals: Annals) -> None:
    receipt = execute(annals, "m", ANN, move)
    [_, entry] = annals.store.read("m")
    assert (receipt.match.version, receipt.is_repeated) == (2, False)
    assert (entry.kind, entry.actor, entry.at) == ("Moved", "ann", NOON)


def test_it_is_decided_again_when_another_writer_appended_first(
    annals: Annals, start: Callable[[], Annals]
) -> None:
    elsewhere, seen = start(), list[int]()

    def decision(match: Match, now: int) -> Draft:
        seen.append(match.version)
        if len(seen) == 1:
            execute(elsewhere, "m", Metadata("bob"), move)
        return move(match, now)

    assert execute(annals, "m", ANN, decision).match.version == 3
    assert seen == [1, 2]


def test_a_process_that_is_behind_refuses_nothing_for_it(
    annals: Annals, start: Callable[[], Annals]
) -> None:
    behind, seen = start(), list[int]()
    behind.matches.latest("m")
    execute(annals, "m", Metadata("bob"), move)

    def decision(match: Match, now: int) -> Draft:
        seen.append(match.version)
        if match.version == 1:
            raise NotYourTurn
        return move(match, now)

    execute(behind, "m", ANN, decision)
    assert seen == [1, 2]


def test_it_gives_up_after_repeated_conflicts(annals: Annals, start: Callable[[], Annals]) -> None:
    elsewhere, seen = start(), list[int]()
    open_table(annals, match="crowd", seats="ann bob cid dan")

    def decision(match: Match, now: int) -> Draft:
        seen.append(match.version)
        execute(elsewhere, "crowd", Metadata("bob"), move)
        return resign(match, now)

    with pytest.raises(WriteConflict):
        execute(annals, "crowd", ANN, decision)
    assert seen == list(range(1, commands.MAX_ATTEMPTS + 1))
    assert {entry.kind for entry in annals.store.read("crowd")} == {"Created", "Moved"}


def test_a_store_that_was_put_back_to_an_earlier_day_is_believed(annals: Annals) -> None:
    for _ in range(3):
        execute(annals, "m", ANN, move)
    first, second, *_ = annals.store.read("m")
    annals.store.redis.flushall()
    for entry in (first, second):
        annals.store.append("m", entry, {})
    execute(annals, "m", ANN, resign)
    assert kinds(annals) == ["Created", "Moved", "Resigned"]


def test_the_same_key_is_carried_out_once_and_answered_alike(annals: Annals) -> None:
    once = Metadata("ann", key="k", fingerprint="f")
    first = execute(annals, "m", once, move)
    execute(annals, "m", Metadata("bob"), move)
    again = execute(annals, "m", once, move)
    assert (again.is_repeated, again.match.version, again.events) == (True, 2, list(first.events))
    assert len(kinds(annals)) == 3


def test_a_repetition_that_would_be_refused_now_is_answered_alike(annals: Annals) -> None:
    once = Metadata("ann", key="k", fingerprint="f")
    execute(annals, "m", once, resign)
    with pytest.raises(Refusal):
        execute(annals, "m", ANN, resign)
    assert execute(annals, "m", once, resign).is_repeated


def test_a_key_serves_one_request_of_one_caller(annals: Annals) -> None:
    execute(annals, "m", Metadata("ann", key="k", fingerprint="f"), move)
    with pytest.raises(KeyReused):
        execute(annals, "m", Metadata("ann", key="k", fingerprint="other"), move)
    assert not execute(annals, "m", Metadata("bob", key="k", fingerprint="f"), move).is_repeated


def test_a_caller_with_a_stale_version_gets_the_current_one(annals: Annals) -> None:
    execute(annals, "m", ANN, move)
    with pytest.raises(StaleVersion) as refused:
        execute(annals, "m", Metadata("ann", expected=(1, 3)), move)
    assert refused.value.version == 2
    assert execute(annals, "m", Metadata("ann", expected=(1, 2)), move).match.version == 3


@pytest.mark.parametrize(("actor", "found"), [("cid", False), ("bot:easy", True), ("system", True)])
def test_a_private_match_is_there_for_the_service_and_those_at_it(
    annals: Annals, actor: str, found: bool
) -> None:
    open_table(annals, match="hidden", visibility="private")
    if found:
        assert execute(annals, "hidden", Metadata(actor), move).match.version == 2
    else:
        with pytest.raises(NotFound):
            execute(annals, "hidden", Metadata(actor), move)


def test_a_table_is_opened_once_for_one_caller(annals: Annals) -> None:
    once = Metadata("ann", key="k", fingerprint="f")
    assert not open_table(annals, once, match="n").is_repeated
    assert open_table(annals, once, match="n").is_repeated
    assert open_table(annals, once, match="n", expires=NOON + 5).is_repeated
    for other in (Metadata("bob", key="k"), Metadata("ann", key="k", fingerprint="g")):
        with pytest.raises(KeyReused):
            open_table(annals, other, match="n")


def test_the_id_of_a_match_is_its_callers_and_keys() -> None:
    assert new_match_id("ann", "k") == new_match_id("ann", "k")
    ids = {new_match_id("ann", "k"), new_match_id("bob", "k"), new_match_id("ann", "l")}
    assert len(ids) == 3
    assert len({new_match_id("ann", None) for _ in range(50)}) == 50


def test_a_host_at_the_limit_opens_no_table(
    annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "count_hosted", lambda *_: annals.settings.max_tables)
    with pytest.raises(TooManyTables):
        open_table(annals, match="n")
    assert open_table(annals, Metadata(), match="n").match.version == 1
    assert annals.store.version("n") == 1


def test_a_match_that_leads_to_no_other_opens_none(annals: Annals) -> None:
    before = annals.store.read("m")
    commands.open_next(annals, "m")
    assert annals.store.read("m") == before
    assert list(annals.store.match_ids()) == ["m"]
