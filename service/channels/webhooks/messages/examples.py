"""Examples: what a message of each type looks like, from matches that nobody plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.audit.texts import chained
from domain.engine.game import Game, legal_moves
from domain.match.decisions import ending, lobby, playing, undo
from domain.match.log import Draft, Entry, entry, write_down
from domain.match.state import Chair, ClockRule, Match
from domain.notices import NOTICE_TYPES, WARNINGS, Notice, NoticeType
from projections.outbox.plan import Wish
from service.channels.webhooks.messages.bodies import Moment, body_of
from service.channels.webhooks.queue.replay import notices_since
from service.matches.container import Annals

EXAMPLE = "example"
"""The id of the match that is told of, which no match has."""
DAY_S = 86_400
_SEED = bytes(32)
_HOST = "u0000000000000001"


def example(annals: Annals, kind: NoticeType, game: str) -> bytes:
    """The body of a message of a type that is marked as an example, seen by the host."""
    moment = moments(annals.games[game], annals.now())[kind]
    return body_of(annals, moment, {"example": True})


def moments(game: Game[Any], now: int) -> Mapping[NoticeType, Moment]:
    """A moment for each type that there is, from two short matches."""
    played, closed = _Written(game, now).played(), _Written(game, now).closed()
    return {**closed.moments(), **played.moments()}


class _Written:
    """A match, and each step of it."""

    def __init__(self, game: Game[Any], now: int) -> None:
        self._now = now
        self._players = [f"u{number:016}" for number in range(1, game.seats.start + 1)]
        self._match = Match(game, _SEED)
        self._steps: list[tuple[Match, Entry]] = []
        seats = (Chair(player=_HOST), *(Chair() for _ in self._players[1:]))
        plan = lobby.Plan(
            match=EXAMPLE, host=_HOST, chairs=seats, clock=ClockRule(per_move_s=DAY_S), expires=now
        )
        self._act(lobby.create(game, plan, _SEED, now), _HOST)

    def closed(self) -> _Written:
        """Its host closes the table."""
        self._act(lobby.close(self._match, _HOST), _HOST)
        return self

    def played(self) -> _Written:
        """All take seats; a move is made, and undone since somebody else asks for it and all agree;
        then all but the host resign.
        """
        others = self._players[1:]
        for player in others:
            self._act(lobby.take_seat(self._match, player, None, self._now), player)
        seat = self._match.awaited[0]
        move = legal_moves(self._match.game, self._match.state, seat)[0]
        self._act(playing.move(self._match, move, self._now), self._players[seat])
        asks, first = self._players[seat - 1], self._match.line[0].version
        self._act(undo.undo(self._match, asks, first, self._now), asks)
        while self._match.undo_request:
            player = self._match.undo_request.asked[0]
            self._act(undo.answer(self._match, player, agree=True, now=self._now), player)
        for player in others:
            self._act(playing.resign(self._match, player, self._now), player)
        self._act(ending.score(self._match), "system")
        return self

    def moments(self) -> dict[NoticeType, Moment]:
        """The first moment of each type."""
        wish = Wish(_HOST, frozenset(NOTICE_TYPES), match=EXAMPLE)
        told = list(notices_since(EXAMPLE, [entry for _, entry in self._steps], wish, 1, 0))
        told += [
            Notice(one.version, WARNINGS, "clock.warning", one.seat)
            for one in told
            if one.type == "turn.started"
        ]
        return {one.type: Moment(*self._steps[one.version - 1], 0, one) for one in reversed(told)}

    def _act(self, draft: Draft, actor: str) -> None:
        after = self._match.fork()
        secret = b"" if self._steps else _SEED
        record = entry(draft, after.version + 1, actor, self._now, after.game.rules, secret=secret)
        record = chained(EXAMPLE, after, record, draft)
        write_down(after, record, draft.events)
        self._match = after
        self._steps.append((after, record))
