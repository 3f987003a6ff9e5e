"""A match in memory: every entry goes through JSON, and three ways to fold it agree."""

from __future__ import annotations

import dataclasses
from typing import Any

from msgspec.structs import replace

from domain.audit.texts import with_head
from domain.engine.game import Game, legal_moves
from domain.engine.play import Move, Seat
from domain.match.decisions import lobby, playing, undo
from domain.match.dice import commitment_to
from domain.match.events import Clocked, Created, DiceFell
from domain.match.log import (
    AnyEvent,
    Draft,
    Entry,
    apply_entry,
    apply_events,
    fold_match,
    make_entry,
    read_events,
)
from domain.match.state import Chair, ClockRule, Match, MatchEvent
from tests.engine.toy import GAME as TOY

SEED = bytes(range(13, 45))
NOON = 1_700_000_000_000
HOUR = 3_600_000
FROM_ANYWHERE = dataclasses.replace(TOY, check_position=lambda _state: None)
"""The toy without its check of positions: a match of it can start in the middle of a round, as a
recorded match or a fork can.
"""
NOT_COMPARED = ("game", "state", "snapshots", "lesson_checkpoint")
"""Parts of a match that are its input, compared as a position, or only caches."""


def chair(token: str) -> Chair:
    """Parse a chair: `ann` sits there, `+easy` is a bot, `?cid` is invited, `.` is free."""
    match token[0]:
        case ".":
            return Chair()
        case "+":
            return Chair(bot=token[1:])
        case "?":
            return Chair(invited=token[1:])
        case _:
            return Chair(player=token)


def plan(seats: str, **more: Any) -> lobby.Plan:
    """A plan for these seats; the first of the players is the host."""
    chairs = tuple(map(chair, seats.split()))
    host = more.pop("host", None) or next((c.player for c in chairs if c.player), "nobody")
    given, promised = more.pop("nonces", ()), more.pop("promised", None)
    chairs = tuple(map(promising, chairs, [*given, *[b""] * (len(chairs) - len(given))]))
    if promised:
        chairs = (replace(chairs[0], commitment=promised), *chairs[1:])
    more.setdefault("match", "m")
    more.setdefault("expires", NOON + HOUR)
    return lobby.Plan(host=host, chairs=chairs, nonces=b"".join(given), **more)


def promising(chair: Chair, nonce: bytes) -> Chair:
    """The chair with the hash of a nonce, if there is one."""
    return replace(chair, commitment=commitment_to(nonce)) if nonce else chair


class Table:
    """A match with all its entries; `act` records a draft."""

    is_compared = True
    """Whether each way to fold its entries must give the same match, at each entry."""
    folded: Match | None = None
    """The match that each entry so far was applied to in place, as a fold of them all does."""

    def __init__(
        self, seats: str, *, game: Game[Any] | None = None, seed: bytes = SEED, **more: Any
    ) -> None:
        game = game or (FROM_ANYWHERE if "position" in more else TOY)
        self.game, self.now, self.entries = game, NOON, list[Entry]()
        self.match = Match(game, seed)
        wanted = plan(seats, **more)
        self.act(lobby.create(game, wanted, seed, self.now), wanted.host, secret=2 * seed)

    def act(self, draft: Draft, actor: str, secret: bytes = b"") -> list[AnyEvent]:
        """Record a draft, as stored and read back; every way to fold it gives the same match."""
        record = make_entry(
            draft, self.match.version + 1, actor, self.now, self.game.rules, b"c", secret
        )
        record = with_head(_match_of(self.match, draft), self.match, record, draft)
        events = read_events(self.game, record.events)
        assert events == list(draft.events)
        self.entries.append(record)
        after = self.match.copy()
        if self.is_compared:
            before, told = collect_facts(self.match), self.match.copy()
            apply_events(told, record, draft.events)
            apply_events(after, record, events)
            assert collect_facts(self.match) == before
            assert collect_facts(after) == collect_facts(told) == collect_facts(self._fold_on())
        else:
            apply_events(after, record, events)
        self.match = after
        return events

    def fold(self) -> Match:
        """Fold all entries into a match."""
        return fold_match({self.game.key: self.game}, self.entries)

    def _fold_on(self) -> Match:
        """The fold of all entries, of which all but the last have been folded before."""
        if self.folded and self.folded.version == len(self.entries) - 1:
            apply_entry(self.folded, self.entries[-1])
        else:
            self.folded = self.fold()
        return self.folded

    def wait(self, seconds: float) -> Table:
        """Let time pass."""
        self.now += int(1000 * seconds)
        return self

    def who(self, seat: Seat) -> str:
        """The actor for a seat, as the annals name them."""
        sitting = self.match.chairs[seat]
        return f"bot:{sitting.bot}" if sitting.bot else str(sitting.player)

    def move(self, choice: Move) -> list[AnyEvent]:
        """Make a move."""
        return self.act(playing.move(self.match, choice, self.now), self.who(choice.seat))

    def legal(self, seat: Seat | None = None) -> list[Any]:
        """What the seat that decides next may do."""
        place = self.match.seats_to_move[0] if seat is None else seat
        return legal_moves(self.game, self.match.state, place)

    def play(self, moves: int = 1) -> Table:
        """Make the first legal move, `moves` times; fewer if the game ends."""
        for _ in range(moves):
            if self.match.seats_to_move:
                self.move(self.legal()[0])
        return self

    def play_out(self) -> Table:
        """Make the last legal move until the game is over."""
        while self.match.status == "active":
            self.move(self.legal()[-1])
        return self

    def undo(self, player: str, to: int | None = None) -> list[AnyEvent]:
        """Undo, or ask for it."""
        return self.act(undo.undo(self.match, player, to, self.now), player)

    def redo(self, player: str, to: int | None = None) -> list[AnyEvent]:
        """Redo, or ask for it."""
        return self.act(undo.redo(self.match, player, self.now, to), player)

    @property
    def undone_player(self) -> str:
        """The player of the first move of the line that was undone last; "" if there is none."""
        left = self.match.left
        return left.path_to(left.newest)[1][0].player if left.newest else ""

    def answer(self, player: str, agree: bool = True) -> list[AnyEvent]:
        """Answer a request."""
        return self.act(undo.answer(self.match, player, agree, self.now), player)

    def resign(self, player: str) -> list[AnyEvent]:
        """Give up."""
        return self.act(playing.resign(self.match, player, self.now), player)

    def time_out(self) -> list[AnyEvent]:
        """Let the time of a seat run out."""
        return self.act(playing.time_out(self.match, self.now), "system")

    def reclaim(self, player: str) -> list[AnyEvent]:
        """Take the seat back from its bot."""
        return self.act(playing.reclaim(self.match, player, self.now), player)

    @property
    def line(self) -> list[int]:
        """The versions of the line of play."""
        return [point.version for point in self.match.line]

    @property
    def bank(self) -> list[float]:
        """Seconds left, as in the last entry."""
        assert self.match.clocks
        return [left / 1000 for left in self.match.clocks.banks]


def collect_facts(match: Match) -> dict[str, Any]:
    """All parts of a match that tests compare."""
    facts = {key: value for key, value in vars(match).items() if key not in NOT_COMPARED}
    facts = {key: list(value) if isinstance(value, list) else value for key, value in facts.items()}
    facts["state"] = None if match.state is None else match.game.write_position(match.state)
    return facts


def kinds(events: list[AnyEvent]) -> list[str]:
    """The names of the events of the match, without clocks, dice, and events of the game."""
    own = (event for event in events if isinstance(event, MatchEvent))
    return [type(event).__name__ for event in own if not isinstance(event, Clocked | DiceFell)]


def clock(per_move: int | None = None, bank: int | None = None, increment: int = 0) -> ClockRule:
    """A rule for clocks."""
    return ClockRule(per_move, bank, increment)


def challenge(points: tuple[int, ...] = (3, 3)) -> dict[str, Any]:
    """A position in the middle of a round of the toy: seat 0 may challenge twice, all hold the same
    cards.
    """
    seats = len(points)
    return {
        "bag": [5 - seats, 5 - seats, 5 - seats, 5, 5, 5],
        "hands": [[1, 2, 3] for _ in range(seats)],
        "sealed": [None] * seats,
        "points": list(points),
        "round": 1,
        "prize": 0,
        "agenda": [
            {"type": "Round", "seats": [], "number": 2},
            {"type": "Refill", "seats": []},
            {"type": "Challenge", "seats": [0], "left": 2},
        ],
    }


def _match_of(match: Match, draft: Draft) -> str:
    """The id of a match, also if this draft opens it."""
    first = draft.events[0]
    return first.match if isinstance(first, Created) else match.id
