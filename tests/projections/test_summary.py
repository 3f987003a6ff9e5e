"""A summary equals the match, without knowing its game."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from domain.engine.errors import Refusal
from domain.match.decisions import absence, ending, lobby, pauses, proposals
from domain.match.errors import Forbidden
from domain.match.events import Created, TimeReturned
from domain.match.log import Draft
from domain.match.state import Match, ProposalKind
from projections.core.events import KNOWN_EVENTS
from projections.core.summary import FOLDS, Summary, fold_entry
from tests.match.table import Table, clock
from tests.match.test_replacing import replace, seeking

DAY = 86_400_000


def summary_of(table: Table) -> Summary:
    summary = None
    for entry in table.entries:
        summary = fold_entry(summary, table.match.id, entry)
    assert summary
    return summary


def agree(summary: Summary, match: Match) -> None:
    assert (summary.id, summary.game, summary.status) == (match.id, match.game.key, match.status)
    assert summary.version == match.version
    assert (summary.created_at, summary.updated_at) == (match.created_at, match.updated_at)
    assert (summary.host, summary.visibility) == (match.host, match.visibility)
    assert tuple(who.seat for who in summary.awaiting) == match.seats_to_move
    assert summary.deadline == (match.clocks.deadline if match.clocks else None)
    assert summary.ends_at == match.ends_at
    absent = {who.seat for who in summary.awaiting if who.absent}
    assert (summary.patience_ms, absent) == (match.patience_ms, match.absent)
    replaceable = {seat for seat, one in enumerate(summary.seats) if one.replaceable}
    assert replaceable == match.replaceable
    assert summary.leavers == tuple(one.player for one in match.tenures)
    ends = absence.patience_ends(match)
    assert summary.patience_ends == {seat: at for seat, at in ends.items() if seat not in absent}
    assert frozenset(summary.interrupted) == match.interrupted
    assert (summary.undo, summary.clock) == (match.undo_policy, match.clock_rule)
    assert (summary.options, summary.unrated) == (match.options, match.unrated)
    assert summary.result == (match.scoring.lines if match.scoring else None)
    assert [(s.player, s.bot, s.invited, s.resigned) for s in summary.seats] == [
        (c.player, c.bot, c.invited, c.resigned) for c in match.chairs
    ]
    assert {
        seat: one.declined for seat, one in enumerate(summary.seats) if one.declined
    } == match.declined
    assert (summary.undo_request is None) == (match.undo_request is None)
    if summary.undo_request and match.undo_request:
        asked = summary.undo_request
        assert (asked.player, asked.to, asked.asked) == (
            match.undo_request.player,
            match.undo_request.to,
            match.undo_request.asked,
        )
    assert summary.pause == match.pause
    assert (summary.proposal is None) == (match.proposal is None)
    if summary.proposal and match.proposal:
        made, known = summary.proposal, match.proposal
        assert (made.kind, made.player, made.asked) == (known.kind, known.player, known.asked)
        assert made.expires == known.expires


def test_every_match_event_has_a_fold() -> None:
    assert set(FOLDS) == set(KNOWN_EVENTS) - {Created}


@pytest.mark.parametrize(
    "terms", [{"clock": clock(bank=60, increment=1)}, {"patience_ms": 40_000}], ids=str
)
def test_the_summary_agrees_with_the_match(terms: Any) -> None:
    for seed in range(12):
        luck = random.Random(seed)
        table = Table("ann bob cid", **terms, undo="consent")
        for _ in range(40):
            random_event(table.wait(luck.uniform(0.1, 25)), luck)
            agree(summary_of(table), table.match)


def random_event(table: Table, luck: random.Random) -> None:
    """Let a random legal event happen."""
    player = luck.choice(sorted({chair.player or "" for chair in table.match.chairs}))
    new = f"u{table.match.version}"
    kind: ProposalKind = luck.choice(["end", "bot", "replacement", "replacement", "pause", "pause"])
    commands = [
        table.time_out,
        lambda: table.act(absence.end_patience(table.match, table.now), "system"),
        lambda: table.undo(player),
        lambda: table.redo(player),
        lambda: table.answer(player, luck.random() < 0.7),
        lambda: table.reclaim(player),
        lambda: table.act(Draft("TimeReturned", (TimeReturned(7),)), "system"),
        lambda: table.act(proposals.propose(table.match, player, kind, table.now), player),
        lambda: table.act(
            proposals.answer(table.match, player, kind, table.now, agree=luck.random() < 0.7),
            player,
        ),
        *[lambda: table.act(absence.replace_player(table.match, new, None), new)] * 3,
        *[lambda: table.act(pauses.resume(table.match, player, table.now), player)] * 3,
        *[table.play] * 8,
        *[lambda: table.resign(player)] * (luck.random() < 0.1),
    ]
    with suppress(Refusal):
        if table.match.status == "active":
            luck.choice(commands)()


def test_the_summary_follows_a_new_player_and_one_who_comes_back() -> None:
    table = seeking()
    agree(summary_of(table), table.match)
    back = seeking()
    back.play()
    agree(summary_of(back), back.match)
    replace(table.wait(60), "dan")
    agree(summary_of(table), table.match)
    table.wait(60).play(2)
    agree(summary_of(table), table.match)


def test_a_summary_knows_when_the_match_ends_by_itself() -> None:
    table = Table("ann +easy", idle_ms=DAY)
    for step in (
        lambda: table.wait(3600).play(),
        lambda: table.wait(60).act(Draft("TimeReturned", (TimeReturned(7),)), "system"),
        lambda: table.undo("ann"),
        lambda: table.resign("ann"),
    ):
        before = summary_of(table).ends_at
        step()
        agree(summary_of(table), table.match)
        assert summary_of(table).ends_at != before


def test_only_moves_change_when_the_last_move_was_made() -> None:
    """Not an outage, a request or an answer; before the first move, the start counts."""
    table = Table("ann .", undo="consent")
    table.wait(60).act(lobby.take_seat(table.match, "bob", None, table.now), "bob")
    assert summary_of(table).last_move_at == table.now
    moved = table.wait(60).play(2).now
    asker, other = (point.player for point in table.match.line[-2:])
    for step in (
        lambda: table.act(Draft("TimeReturned", (TimeReturned(7),)), "system"),
        lambda: table.undo(asker),
        lambda: table.answer(other, agree=False),
    ):
        table.wait(60)
        step()
        summary = summary_of(table)
        assert (summary.last_move_at, summary.updated_at) == (moved, table.now)
    assert summary_of(table.wait(60).play()).last_move_at == table.now


def test_players_who_resigned_keep_no_match_from_ending_by_itself() -> None:
    table = Table("ann bob +easy", idle_ms=DAY)
    assert table.match.ends_at is None
    table.resign("bob")
    assert table.match.ends_at == table.now + DAY
    agree(summary_of(table), table.match)
    with pytest.raises(Forbidden, match="no seat to play"):
        ending.keep(table.match, "bob", table.now + DAY)


def test_a_seat_that_keeps_waiting_keeps_its_start_time() -> None:
    table = Table("ann bob cid")
    while len(table.match.seats_to_move) < 3:
        table.wait(1).play()
    asked = table.now
    first, *others = table.match.seats_to_move
    table.wait(60).move(table.legal(first)[0])
    waiting = {who.seat: who.since for who in summary_of(table).awaiting}
    assert all(waiting[seat] == asked for seat in others)


def test_each_seat_has_its_own_deadline() -> None:
    table = Table("ann bob", clock=clock(bank=60))
    summary = summary_of(table)
    assert summary.awaiting
    for who in summary.awaiting:
        assert who.deadline == table.now + 60_000
    assert summary.deadline == table.now + 60_000
