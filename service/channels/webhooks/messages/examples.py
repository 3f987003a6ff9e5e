"""Examples of messages of each type, built from short example matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.audit.texts import with_head
from domain.engine.game import Game, legal_moves
from domain.engine.play import Seat
from domain.match.decisions import (
    absence,
    ending,
    giving_time,
    lobby,
    pauses,
    playing,
    proposals,
    rematch,
    undo,
)
from domain.match.log import Draft, Entry, apply_events, make_entry
from domain.match.state import Chair, ClockRule, Match
from domain.notice_types import NOTICE_TYPES, NoticeName
from domain.notices import (
    FIRST_WARNING_NUMBER,
    IDLE_WARNING_NUMBER,
    PAUSE_WARNING_NUMBER,
    Notice,
)
from projections.outbox.plan import SubscriptionFilter
from service.channels.webhooks.messages.bodies import NoticeContext, build_body
from service.channels.webhooks.queue.replay import notices_since
from service.matches.container import Annals

EXAMPLE_MATCH_ID = "example"
"""The match id in examples; no real match has it."""
DAY_S = 86_400
NEXT_EXAMPLE_ID = f"{EXAMPLE_MATCH_ID}-2"
_MATCH_SECRET = bytes(32)
_CLOCK = ClockRule(per_move_s=DAY_S)
_PATIENCE_MS = 14 * absence.DAY_MS
_HOST = "u0000000000000001"
_NEWCOMER = "u0000000000000009"


def build_example(annals: Annals, kind: NoticeName, game: str) -> bytes:
    """Return the body of an example message of a type, as the host sees it."""
    context = example_contexts(annals.games[game], annals.now())[kind]
    return build_body(annals, context, {"example": True})


def example_contexts(game: Game[Any], now: int) -> Mapping[NoticeName, NoticeContext]:
    """Return a context for each type of notice, from three short matches."""
    played, closed = _ExampleMatch(game, now).play_through(), _ExampleMatch(game, now).close_table()
    waits = _ExampleMatch(game, now, clock=None).wait_for_players()
    return {**waits.contexts(), **closed.contexts(), **played.contexts()}


class _ExampleMatch:
    """A match with all its steps."""

    def __init__(self, game: Game[Any], now: int, clock: ClockRule | None = _CLOCK) -> None:
        self._now = now
        self._players = [f"u{number:016}" for number in range(1, game.seats.start + 1)]
        self._match = Match(game, _MATCH_SECRET)
        self._steps: list[tuple[Match, Entry]] = []
        seats = (Chair(player=_HOST), *(Chair() for _ in self._players[1:]))
        plan = lobby.Plan(
            match=EXAMPLE_MATCH_ID,
            host=_HOST,
            chairs=seats,
            clock=clock,
            patience_ms=None if clock else _PATIENCE_MS,
            expires=now,
        )
        self._act(lobby.create(game, plan, _MATCH_SECRET, now), _HOST)

    def close_table(self) -> _ExampleMatch:
        """Let the host close the table."""
        self._act(lobby.close(self._match, _HOST), _HOST)
        return self

    def play_through(self) -> _ExampleMatch:
        """Fill the seats, give time, make a move, undo it by consent, decline to end the match,
        pause it, let all but the host resign, and play again.
        """
        others = self._players[1:]
        self._fill_seats()
        seat = self._match.seats_to_move[0]
        gives = self._players[seat - 1]
        self._act(giving_time.give_time(self._match, gives, seat, None, self._now), gives)
        self._move(seat)
        asks, first = self._players[seat - 1], self._match.line[0].version
        self._act(undo.undo(self._match, asks, first, self._now), asks)
        while self._match.undo_request:
            player = self._match.undo_request.asked[0]
            self._act(undo.answer(self._match, player, agree=True, now=self._now), player)
        self._act(proposals.propose(self._match, _HOST, "end", self._now), _HOST)
        self._act(
            proposals.answer(self._match, others[0], "end", self._now, agree=False), others[0]
        )
        self._act(proposals.propose(self._match, _HOST, "pause", self._now), _HOST)
        while proposal := self._match.proposal:
            who = proposal.asked[0]
            self._act(proposals.answer(self._match, who, "pause", self._now, agree=True), who)
        self._act(pauses.resume(self._match, _HOST, self._now), _HOST)
        for player in others:
            self._act(playing.resign(self._match, player, self._now), player)
        self._act(ending.score(self._match), "system")
        self._act(rematch.offer(self._match, _HOST, None), _HOST)
        self._act(ending.link_next(self._match, NEXT_EXAMPLE_ID), "system")
        return self

    def wait_for_players(self) -> _ExampleMatch:
        """Fill the seats, wait for the first move for as long as the players have to, and give the
        seat of an absent one to a new player.
        """
        self._fill_seats()
        while len(self._match.seats_to_move) > 1:  # so that not all are absent
            self._move(self._match.seats_to_move[-1])
        self._now += _PATIENCE_MS
        self._act(absence.end_patience(self._match, self._now), "system")
        absent = self._match.absent_players
        for player in (one for one in self._players if one not in absent):
            self._act(proposals.propose(self._match, player, "replacement", self._now), player)
        self._act(absence.replace_player(self._match, _NEWCOMER, None), _NEWCOMER)
        return self

    def _move(self, seat: Seat) -> None:
        """Make the first legal move of a seat."""
        move = legal_moves(self._match.game, self._match.state, seat)[0]
        self._act(playing.move(self._match, move, self._now), self._players[seat])

    def _fill_seats(self) -> None:
        for player in self._players[1:]:
            self._act(lobby.take_seat(self._match, player, None, self._now), player)

    def contexts(self) -> dict[NoticeName, NoticeContext]:
        """Return the first context of each type."""
        criteria = SubscriptionFilter(_HOST, frozenset(NOTICE_TYPES), match=EXAMPLE_MATCH_ID)
        notices = list(
            notices_since(EXAMPLE_MATCH_ID, [entry for _, entry in self._steps], criteria, 1, 0)
        )
        warning: NoticeName = "clock.warning" if self._match.clock_rule else "patience.warning"
        notices += [
            Notice(one.version, FIRST_WARNING_NUMBER, warning, one.seat, one.at)
            for one in notices
            if one.type == "turn.started"
        ]
        notices += [
            Notice(one.version, PAUSE_WARNING_NUMBER, "pause.ending", None, one.at)
            for one in notices
            if one.type == "match.paused"
        ]
        notices.append(Notice(1, IDLE_WARNING_NUMBER, "match.idle", None, notices[0].at))
        return {
            one.type: NoticeContext(*self._steps[one.version - 1], 0, one)
            for one in reversed(notices)
        }

    def _act(self, draft: Draft, actor: str) -> None:
        after = self._match.copy()
        secret = b"" if self._steps else _MATCH_SECRET
        record = make_entry(
            draft, after.version + 1, actor, self._now, after.game.rules, secret=secret
        )
        record = with_head(EXAMPLE_MATCH_ID, after, record, draft)
        apply_events(after, record, draft.events)
        self._match = after
        self._steps.append((after, record))
