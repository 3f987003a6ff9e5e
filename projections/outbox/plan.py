"""The outbox: what is to be told to whom, written down in the projector's transaction.

A *wish* is what somebody wants to hear. Each partition has a copy of all wishes, and a number that
counts their changes; whoever plans by older ones writes nothing. So each notice is planned exactly
once, by the wishes of the moment at which it is. Nobody plans anew what was planned: the outbox is
not rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from threading import Event
from typing import Any

import msgspec
from redis import Redis

from domain.engine.play import Seat
from domain.notices import SHARES, Alarm, Notice, NoticeType, notices, warnings
from projections.core.events import known_events, mover_of
from projections.core.scripts import Script
from projections.core.spaces import Apply, Change, Command, Projection, checkpoint, tag, together
from projections.core.summary import Summary

WISH = Script(files(__package__).joinpath("subscribe.lua").read_text())
DUE = Script(files(__package__).joinpath("due.lua").read_text())
AT_ONCE = 0
MOST_DUE = 100
"""Of how many in each partition one is told at a time that there is something for them."""


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player wants to hear: which notices, of one match, of their own or of all that they
    may know of, and perhaps only what waits for them. A match may be `shared` by somebody who
    has a seat in it: then it is told even if it is private.
    """

    player: str
    types: frozenset[NoticeType]
    match: str | None = None
    game: str | None = None
    everybody: bool = False
    my_turn: bool = False
    shared: bool = False


_WISH = msgspec.json.Decoder(Wish)
_NOTICE = msgspec.json.Decoder(Notice)
_ENCODER = msgspec.json.Encoder()


def space_of_outbox(partition: int) -> str:
    """What the keys of the outbox of a partition begin with."""
    return f"{tag(partition)}:outbox"


def wishes_key(partition: int) -> str:
    """The hash of all wishes by their ids; with `:changes` at its end, how often it has changed."""
    return f"{space_of_outbox(partition)}:wishes"


def due_key(space: str) -> str:
    """For whom there is anything: ids of wishes by the time of the next try (ms; 0 is at once)."""
    return f"{space}:due"


def clocks_key(space: str) -> str:
    """For whom there are warnings: ids of wishes by the time of the first one."""
    return f"{space}:clocks"


def mailbox(space: str, wish: str) -> str:
    """What the keys begin with that hold what is planned for somebody."""
    return f"{space}:of:{wish}"


def warned_key(box: str) -> str:
    """The warnings that are told only once in a match, and were."""
    return f"{box}:warned"


def line_key(box: str, match: str) -> str:
    """The notices of one match that are to be told, in order."""
    return f"{box}:line:{match}"


def write_notice(notice: Notice) -> str:
    """A notice as it stands in a line; the same notice always is the same text."""
    return _ENCODER.encode(notice).decode()


def read_notice(text: bytes) -> Notice:
    """The notice that was written so."""
    return _NOTICE.decode(text)


def due_wishes(redis: Redis, partitions: Sequence[int], now: int) -> set[str]:
    """The ids of all wishes for which there is anything to do in some partitions, or as many as are
    told at once.
    """
    found: set[str] = set()
    for some in together(redis, partitions):
        spaces = list(map(space_of_outbox, some))
        keys = [key for space in spaces for key in (due_key(space), clocks_key(space))]
        found |= {name.decode() for name in DUE.run(redis, keys, now, MOST_DUE)}
    return found


def put_wish(redis: Redis, partitions: int, name: str, wish: Wish | None) -> None:
    """Let this be what is wished under a name from now on; nothing if it is None."""
    put_wish_in(redis, range(partitions), name, wish)


def put_wish_in(redis: Redis, partitions: Sequence[int], name: str, wish: Wish | None) -> None:
    """The same for matches of some partitions."""
    text = b"" if wish is None else _ENCODER.encode(wish)
    for some in together(redis, partitions):
        keys = [key for n in some for key in (wishes_key(n), f"{wishes_key(n)}:changes")]
        WISH.run(redis, keys, name, text)


def skip(redis: Redis, partition: int, position: int) -> None:
    """Plan nothing of what came up to a place in a feed."""
    redis.set(checkpoint(space_of_outbox(partition)), position)


class Wishes:
    """All wishes of a moment, found by the match that something happens in."""

    def __init__(self, wishes: Mapping[str, Wish]) -> None:
        self._by_match: dict[str, list[tuple[str, Wish]]] = {}
        self._by_player: dict[str, list[tuple[str, Wish]]] = {}
        self._everywhere: list[tuple[str, Wish]] = []
        for name, wish in wishes.items():
            self._place(wish).append((name, wish))
        self.any = bool(wishes)

    def _place(self, wish: Wish) -> list[tuple[str, Wish]]:
        if wish.match is not None:
            return self._by_match.setdefault(wish.match, [])
        if wish.everybody:
            return self._everywhere
        return self._by_player.setdefault(wish.player, [])

    def about(self, match: Summary) -> list[tuple[str, Wish]]:
        """Those of whoever wants to hear of a match and may know of it."""
        found = [*self._everywhere, *self._by_match.get(match.id, ())]
        for player in match.involved:
            found += self._by_player.get(player, ())
        return [(name, wish) for name, wish in found if _may_hear(wish, match)]


class Outbox:
    """Plans what is to be told, with the wishes that are known for each partition."""

    def __init__(self, redis: Redis, planned: Event | None = None) -> None:
        self._redis = redis
        self._planned = planned or Event()
        self._some = False

    def look(self, partition: int) -> tuple[Mapping[str, int], Projection]:
        """The key that counts the changes of the wishes, with its value, and what plans by them.

        The count is read first: if they change in between, it is the plan that comes to nothing.
        """
        key = f"{wishes_key(partition)}:changes"
        changes: Any = self._redis.get(key)
        found: Any = self._redis.hgetall(wishes_key(partition)) if changes else {}
        wishes = Wishes({name.decode(): _WISH.decode(text) for name, text in found.items()})
        return {key: int(changes or 0)}, Projection("outbox", 1, self._plan_by(wishes))

    def written(self) -> None:
        """What was planned stands in Redis now: let those know who hand it out."""
        if self._some:
            self._some = False
            self._planned.set()

    def _plan_by(self, wishes: Wishes) -> Apply:
        def plan_some(space: str, changes: Sequence[Change]) -> Iterable[Command]:
            if not wishes.any:
                return ()
            commands = [command for one in changes for command in plan(space, one, wishes)]
            self._some = self._some or bool(commands)
            return commands

        return plan_some


def plan(space: str, change: Change, wishes: Wishes) -> Iterator[Command]:
    """What is to be told of a change: into the line of its match, for each who wants to hear it."""
    if found := wishes.about(change.after):
        told, stopped, started = _told(change), _unless_acted(change), _warnings(change.after)
        for name, wish in found:
            yield from _into_line(space, name, change.after, told, wish)
            yield from _out_of_clocks(space, name, change, stopped)  # whatever they wished before
            yield from _into_clocks(space, name, change, started, wish)


def told_of(change: Change, wish: Wish) -> list[Notice]:
    """What a change is told as to somebody with this wish: nothing, if they may not hear of it."""
    if not _may_hear(wish, change.after):
        return []
    return [notice for notice in _told(change) if wanted(notice, wish, change.after)]


def deciding(match: Summary | None) -> Mapping[Seat, int | None]:
    """The seats at which a person has to decide, with their deadlines."""
    if match is None or match.status != "active":
        return {}
    return {who.seat: who.deadline for who in match.awaiting if match.seats[who.seat].human}


def wanted(notice: Notice, wish: Wish, match: Summary) -> bool:
    """Whether a notice is one of those that somebody wants, who wants to hear of its match."""
    if notice.type not in wish.types:
        return False
    return not wish.my_turn or _waits_for(wish.player, match, notice)


def _into_line(
    space: str, name: str, match: Summary, told: Sequence[Notice], wish: Wish
) -> Iterator[Command]:
    line = [word for one in told if wanted(one, wish, match) for word in _placed(one)]
    if line:
        box = mailbox(space, name)
        yield "ZADD", line_key(box, match.id), *line
        yield "ZADD", due_key(box), "NX", AT_ONCE, match.id
        yield "ZADD", due_key(space), "NX", AT_ONCE, name


def _out_of_clocks(
    space: str, name: str, change: Change, stopped: Sequence[Alarm]
) -> Iterator[Command]:
    box, match = mailbox(space, name), change.after
    for one in stopped:
        yield "ZREM", clocks_key(box), _timer(match, one.notice)
    if match.clock and change.before and change.before.status == "active" != match.status:
        yield (
            "SREM",
            warned_key(box),
            *(f"{match.id} {seat}{share}" for seat in range(len(match.seats)) for share in SHARES),
        )


def _into_clocks(
    space: str, name: str, change: Change, started: Sequence[Alarm], wish: Wish
) -> Iterator[Command]:
    for one in started:
        if wanted(one.notice, wish, change.after):
            key = clocks_key(mailbox(space, name))
            yield "ZADD", key, one.at, _timer(change.after, one.notice)
            yield "ZADD", clocks_key(space), "LT", one.at, name


def _placed(notice: Notice) -> tuple[int, str]:
    return notice.place, write_notice(notice)


def _timer(match: Summary, notice: Notice) -> str:
    """A warning as it waits for its time: its match, its place, by what it is known that it was
    told (a bank may grow again, but one is warned once in a match), and the notice.
    """
    once = f"{notice.seat}{notice.share}" if match.clock and match.clock.bank_s else "-"
    return f"{match.id} {notice.place} {once} {write_notice(notice)}"


def _told(change: Change) -> list[Notice]:
    before, after, entry = change.before, change.after, change.entry
    events, mover = known_events(entry.events), mover_of(entry)
    return list(notices(entry.version, events, mover, deciding(before), deciding(after)))


def _warnings(match: Summary) -> list[Alarm]:
    if match.clock is None:
        return []
    deadlines = {seat: at for seat, at in deciding(match).items() if at is not None}
    return list(warnings(match.version, match.clock, match.updated_at, deadlines))


def _unless_acted(change: Change) -> list[Alarm]:
    """The warnings for which it never came to be time."""
    if change.before is None:
        return []
    return [one for one in _warnings(change.before) if one.at > change.after.updated_at]


def _may_hear(wish: Wish, match: Summary) -> bool:
    """Whether a match is one that a wish is about, and its player may know of it."""
    if wish.game not in (None, match.game) or wish.match not in (None, match.id):
        return False
    anybodys = wish.everybody or wish.match is not None
    is_open = match.visibility == "public" or wish.shared
    return wish.player in match.involved or (anybodys and is_open)


def _waits_for(player: str, match: Summary, notice: Notice) -> bool:
    """Whether a match waits for a player, and with this notice, if it is about a seat's turn."""
    if notice.type in ("turn.started", "clock.warning"):
        assert notice.seat is not None
        return match.seats[notice.seat].player == player
    asked = match.undo_request.asked if match.undo_request else ()
    return player in asked or any(match.seats[seat].player == player for seat in deciding(match))
