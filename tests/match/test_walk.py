"""Any player may try any command at any time: the match records or refuses it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.errors import Refusal
from domain.match.decisions import (
    absence,
    ending,
    lobby,
    pauses,
    playing,
    proposals,
    rematch,
    undo,
)
from domain.match.dice import commitment_to
from domain.match.lines import lines_of
from domain.match.log import Draft
from domain.match.scheduled_work import due_work
from domain.match.state import ProposalKind
from tests.engine.toy.moves import Counter, GiveIn, Pass, Seal, ShowCard
from tests.match.table import Table, clock, collect_facts

PEOPLE = ("ann", "bob", "cid", "dan")
KINDS: tuple[ProposalKind, ...] = ("end", "pause", "bot", "replacement")
Command = Callable[[Table, str, int], Draft]


def any_move(table: Table, player: str, n: int) -> Draft:
    """A legal move, or one that may be illegal."""
    if n % 5:
        awaited = table.match.seats_to_move or (0,)
        menu = table.legal(awaited[n % len(awaited)]) if table.match.state else []
        if menu:
            return playing.move(table.match, menu[n % len(menu)], table.now)
    seat = n % 6 - 1
    choices = (Seal(seat, n), ShowCard(seat, n % 4, n), Counter(seat, n), GiveIn(seat), Pass(seat))
    return playing.move(table.match, choices[n % len(choices)], table.now)


def sit(table: Table, player: str, n: int) -> Draft:
    """Take a seat that may not exist, or any seat."""
    return lobby.take_seat(table.match, player, n % 6 - 1 if n % 2 else None, table.now)


def nonce_of(player: str) -> bytes:
    """The nonce of a player."""
    return player.encode().ljust(32)


COMMANDS: dict[str, Command] = {
    "move": any_move,
    "go on": any_move,
    "sit": lambda t, who, n: lobby.take_seat(t.match, who, n % 6 - 1 if n % 2 else None, t.now),
    "give": lambda t, who, n: lobby.take_seat(t.match, who, None, t.now, nonce_of(who)),
    "commit": lambda t, who, n: lobby.take_seat(
        t.match, who, None, t.now, commitment=commitment_to(nonce_of(who))
    ),
    "open": lambda t, who, n: lobby.open_nonce(t.match, who, nonce_of(who), t.now),
    "wait for no nonce": lambda t, who, n: lobby.begin(t.match, t.now),
    "replace": lambda t, who, n: absence.replace_player(t.match, who, None),
    "decline": lambda t, who, n: lobby.decline_invitation(t.match, who),
    "leave": lambda t, who, n: lobby.leave_seat(t.match, who, n % 5 - 1),
    "begin": lambda t, who, n: lobby.start(t.match, who, ("easy", None, "guru")[n % 3], t.now),
    "abort": lambda t, who, n: lobby.abort(t.match, t.now),
    "undo": lambda t, who, n: undo.undo(t.match, who, None if n % 2 else n, t.now),
    "redo": lambda t, who, n: undo.redo(t.match, who, t.now, n if n % 2 else None),
    "agree": lambda t, who, n: undo.answer(t.match, who, True, t.now),
    "answer": lambda t, who, n: undo.answer(t.match, who, bool(n % 2), t.now),
    "lapse": lambda t, who, n: proposals.lapse_request(t.match, t.now),
    "propose": lambda t, who, n: proposals.propose(t.match, who, KINDS[n % 4], t.now),
    "answer a proposal": lambda t, who, n: proposals.answer(
        t.match, who, KINDS[n % 4], t.now, agree=n % 5 > 0
    ),
    "resume": lambda t, who, n: pauses.resume(t.match, who, t.now),
    "end patience": lambda t, who, n: absence.end_patience(t.match, t.now),
    "end a pause": lambda t, who, n: pauses.resume_in_time(t.match, t.now),
    "resign": lambda t, who, n: playing.resign(t.match, who, t.now),
    "time out": lambda t, who, n: playing.time_out(t.match, t.now),
    "reclaim": lambda t, who, n: playing.reclaim(t.match, who, t.now),
    "score": lambda t, who, n: ending.score(t.match),
    "rate": lambda t, who, n: ending.rate(t.match, ()),
    "continue": lambda t, who, n: ending.link_next(t.match, "m-2"),
    "play again": lambda t, who, n: rematch.offer(t.match, who, t.match.next_match),
}
OFTEN = ("move", "go on", "undo", "agree", "redo", "resume")
STEP = st.tuples(
    st.sampled_from([*COMMANDS, *OFTEN, *OFTEN]),
    st.sampled_from(PEOPLE),
    st.integers(0, 30),
    st.sampled_from([0, 0, 0, 1, 9, 700]),
)
TABLES = st.fixed_dictionaries(
    {
        "seats": st.sampled_from(
            ["ann bob", "ann . ?bob", "ann bob cid dan", "ann ann bob", "ann +easy cid", "ann ."]
        ),
        "undo": st.sampled_from(["free", "consent", "off"]),
        "clock": st.sampled_from([None, clock(per_move=10), clock(bank=20, increment=3)]),
        "on_timeout": st.sampled_from(["bot", "resign"]),
        "options": st.just({"rounds": 2}),
        "patience_ms": st.sampled_from([None, 700_000]),
    }
)


@pytest.mark.slow
@settings(max_examples=20)
@given(TABLES, st.lists(STEP, min_size=15, max_size=60))
def test_every_attempt_is_recorded_or_refused(terms: Any, walk: Any) -> None:
    table = Table(**terms)
    for name, player, n, seconds in walk:
        table.wait(seconds)
        before = collect_facts(table.match)
        try:
            draft = COMMANDS[name](table, player, n)
        except Refusal:
            assert collect_facts(table.match) == before
            continue
        assert collect_facts(table.match) == before
        table.act(draft, _actor(table, draft, player))
        _makes_sense(table)
    _lines_hold_all(table)


def _lines_hold_all(table: Table) -> None:
    """Each version of the game is in one line, which leaves another one where the match says."""
    lines = lines_of(table.game, table.entries)
    assert lines.played == table.line
    left = [undo.line for undo in lines.undos if undo.line]
    for undoing in lines.undos:
        branch, path = table.match.left.path_to(undoing.line[-1] if undoing.line else 0)
        way = [branch, *(point.version for point in path)]
        assert (undoing.branches_from is None) == (not undoing.line)
        assert not path or way[-len(undoing.line) - 1 :] == [undoing.branches_from, *undoing.line]
        assert not path or (undoing.parent is None) == (undoing.branches_from in table.line)
    played = {record.version for record in table.entries if record.move} | {*table.line[:1]}
    assert sorted(chain(lines.played, *left)) == sorted(played)
    assert all(undo.parent is None or undo.parent > undo.version for undo in lines.undos)


def _actor(table: Table, draft: Draft, player: str) -> str:
    return player if draft.move is None else table.who(draft.move.seat)


def _makes_sense(table: Table) -> None:
    """Check what holds for every match at any time."""
    match = table.match
    awaited = match.seats_to_move
    assert bool(awaited) == (match.status == "active")
    assert match.line == sorted(match.line, key=lambda point: point.version)
    assert not (match.undo_request and match.status != "active")
    if match.undo_request:
        assert match.undo_request.asked
        assert {match.undo_request.player, *match.undo_request.asked} <= match.deciding_players()
    assert not (match.proposal and match.status != "active")
    if match.proposal:
        assert match.proposal.asked
        assert {match.proposal.player, *match.proposal.asked} <= match.deciding_players()
        everyone_is_asked = match.proposal.player in match.absent_players
        assert everyone_is_asked or not match.absent_players & {*match.proposal.asked}
    assert match.absent <= match.waiting.keys() <= set(awaited)
    if match.clocks:
        thinking = tuple(s for s in awaited if match.chairs[s].human)
        assert match.clocks.running == (() if match.pause else thinking)
    assert not (match.pause and match.status != "active")
    assert all(at >= 0 for at in due_work(match).values())
    bots_alone = match.status == "active" and not any(match.chairs[s].human for s in awaited)
    assert not (bots_alone and not due_work(match))
