"""Account deletion: what happens to matches, including those that the lists show wrongly."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis
from structlog.testing import capture_logs

from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.log import CorruptEntry
from domain.match.state import Chair, Match
from projections import PROJECTIONS
from projections.lists.matches import find_unfinished
from projections.projector import Projector
from service.accounts.players import Player
from service.channels import account_deletion
from service.channels.account_deletion import leave_matches
from service.matches.commands import Metadata, create, execute
from service.matches.container import Annals, open_annals
from service.runtime.errors import StoreUnavailable, WriteConflict
from service.runtime.settings import read_settings

BOT = Chair(bot="li_mu")


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    """The service; its lists catch up once a command waits for them."""
    annals = open_annals(read_settings({"REDIS_URL": redis_url, "ANNALS_PARTITIONS": "1"}))
    monkeypatch.setattr(account_deletion, "pause", lambda _: fold(annals))
    return annals


def open_match(annals: Annals, host: str, *chairs: Chair, match: str = "m") -> str:
    """A match of Qin that the lists contain."""
    plan = lobby.Plan(match=match, host=host, chairs=chairs, expires=annals.now() + 1_000)
    create(annals, plan, GAMES["qin"], Metadata(host))
    fold(annals)
    return match


def fold(annals: Annals) -> None:
    Projector(annals.store.redis, annals.store, [0], PROJECTIONS).fold_next(1_000)


def do(annals: Annals, match: str, actor: str, decision: Any) -> None:
    execute(annals, match, Metadata(actor), decision)


def now(annals: Annals, match: str) -> Match:
    return annals.matches.latest(match)


def test_an_account_is_deleted_just_after_its_player_left_a_table(annals: Annals) -> None:
    match = open_match(annals, "ann", Chair(player="ann"), Chair(player="bob"), Chair())
    do(annals, match, "bob", lambda match, _: lobby.leave_seat(match, "bob", 1))
    before = now(annals, match).version
    leave_matches(annals, "bob")
    assert now(annals, match).version == before


def test_a_match_that_the_lists_do_not_know_yet_is_left(annals: Annals) -> None:
    plan = lobby.Plan(match="m", host="ann", chairs=(Chair(player="ann"), Chair()), expires=9**15)
    create(annals, plan, GAMES["qin"], Metadata("ann"))
    assert leave_matches(annals, "ann") == (1, ())
    assert now(annals, "m").status == "aborted"


def test_a_match_that_a_player_begins_while_they_are_deleted_is_left(
    annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = annals.players.register("Ann", annals.now())
    delete = annals.players.delete

    def open_and_delete(player: Player, at: int) -> None:
        open_match(annals, player.id, Chair(player=player.id), Chair())
        delete(player, at)

    monkeypatch.setattr(annals.players, "delete", open_and_delete)
    account_deletion.delete_account(annals, ann)
    assert now(annals, "m").status == "aborted"


def test_a_player_leaves_all_their_seats_of_a_table(annals: Annals) -> None:
    match = open_match(annals, "ann", Chair(player="ann"), *[Chair(player="bob")] * 2, Chair())
    leave_matches(annals, "bob")
    assert now(annals, match).seats_of("bob") == ()
    assert now(annals, match).status == "open"


@pytest.mark.parametrize("mine", [[], [Chair(player="bob")], [Chair(player="bob", invited="bob")]])
def test_invitations_are_declined(annals: Annals, mine: list[Chair]) -> None:
    """Given seats kept for a player, who may have a seat, too, when they are deleted, then all
    seats are open, and the host reads who declined.
    """
    kept = [Chair(invited="bob")] * (3 - len(mine))
    match = open_match(annals, "ann", Chair(player="ann"), *mine, *kept)
    leave_matches(annals, "bob")
    after = now(annals, match)
    assert after.status == "open"
    assert list(after.chairs[1:]) == [Chair()] * 3
    assert {*after.declined.values()} == {"bob"}
    fold(annals)
    store = annals.store
    assert find_unfinished(store.redis, store.partitions, "bob") == []


@pytest.mark.parametrize("mine", [[], [Chair(player="ann")], [Chair(player="ann")] * 2])
def test_the_tables_of_a_host_are_closed(annals: Annals, mine: list[Chair]) -> None:
    match = open_match(annals, "ann", *mine, Chair(player="bob"), Chair())
    leave_matches(annals, "ann")
    assert (now(annals, match).status, now(annals, match).end_reason) == ("aborted", "closed")


def test_the_matches_of_bots_of_a_host_are_closed(annals: Annals) -> None:
    match = open_match(annals, "ann", BOT, BOT)
    leave_matches(annals, "ann")
    assert (now(annals, match).status, now(annals, match).end_reason) == ("aborted", "closed")


def test_a_match_in_which_others_play_goes_on_without_its_host(annals: Annals) -> None:
    match = open_match(annals, "ann", Chair(player="bob"), Chair(player="cid"), BOT)
    leave_matches(annals, "ann")
    assert now(annals, match).status == "active"


@pytest.mark.parametrize("mine", [1, 2])
def test_matches_in_play_are_resigned_with_all_seats(annals: Annals, mine: int) -> None:
    people = [Chair(player="bob"), Chair(player="cid")][: 4 - mine]
    match = open_match(annals, "bob", *[Chair(player="ann")] * mine, *people)
    leave_matches(annals, "ann")
    after = now(annals, match)
    assert all(after.chairs[seat].resigned for seat in after.seats_of("ann"))
    assert len(after.seats_of("ann")) == mine


@pytest.mark.parametrize("error", [CorruptEntry("Entry 1 is corrupt."), WriteConflict("Again.")])
def test_a_match_that_cannot_be_left_keeps_no_other(
    annals: Annals, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    people = Chair(player="ann"), Chair(player="bob")
    for match in ("bad", "good", "later"):
        open_match(annals, "ann", *people, match=match)

    def refuse_bad(annals: Annals, match: str, *more: Any) -> Any:
        if match == "bad":
            raise error
        return execute(annals, match, *more)

    monkeypatch.setattr(account_deletion, "execute", refuse_bad)
    with capture_logs():  # a traceback for the terminal takes seconds
        assert leave_matches(annals, "bob") == (2, ("bad",))
    monkeypatch.setattr(account_deletion, "execute", execute)
    assert leave_matches(annals, "bob") == (1, ())
    assert now(annals, "bad").chairs[1].resigned


def test_a_store_that_does_not_answer_is_no_success(
    annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreUnavailable("The store does not answer.")

    open_match(annals, "ann", Chair(player="ann"), Chair(player="bob"))
    monkeypatch.setattr(account_deletion, "execute", fail)
    with pytest.raises(StoreUnavailable):
        leave_matches(annals, "bob")
