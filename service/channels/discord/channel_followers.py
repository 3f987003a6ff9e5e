"""Following matches: which ones Discord is told of whoever moves in them, and by what way.

A match that a channel sees has a wish in the outbox of its own partition. What is planned for it is
worked off by a job, which shows the match to its channels once nobody has moved for a while.
"""

from __future__ import annotations

from domain.notices import NoticeType
from projections.outbox.plan import Wish, put_wish_in
from service.store.event_store import Store

NAME = "discord:"
"""What names of such wishes begin with."""
TOLD: frozenset[NoticeType] = frozenset(
    {"turn.started", "undo.requested", "undo.done", "match.scored", "match.aborted"}
)
QUIET_MS, LATEST_MS = 1_500, 10_000
"""How long nobody must have moved until a match is shown, and how long that is waited for."""
GIVEN_UP_MS = 900_000
"""How long a match is tried to be shown while Discord is in trouble."""


def follow(store: Store, match: str) -> None:
    """Let the channels that see a match be told of its turns from now on."""
    wish = Wish("", TOLD, match, shared=True)
    put_wish_in(store.redis, [store.partition_of(match)], name_of(match), wish)


def leave(store: Store, match: str) -> None:
    """Tell nothing more of a match."""
    put_wish_in(store.redis, [store.partition_of(match)], name_of(match), None)


def name_of(match: str) -> str:
    """The name of the wish that is about a match."""
    return f"{NAME}{match}"


def followed(name: str) -> str | None:
    """The match that a wish of this name is about; None if it is somebody else's."""
    return name.removeprefix(NAME) if name.startswith(NAME) else None


def show_again_at(due_ms: int, now_ms: int) -> int | None:
    """When to try again what was due at a time, with growing pauses; None if never."""
    late = now_ms - due_ms
    return None if late > GIVEN_UP_MS else now_ms + max(late, QUIET_MS)


def show_at(first_ms: int, last_ms: int) -> int:
    """When to show what began at a time and went on until another: at the end of a run of moves."""
    return min(last_ms + QUIET_MS, first_ms + LATEST_MS)
