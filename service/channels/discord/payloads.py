"""What Discord sends: a command, a button or a menu that somebody used, and where.

Of all that comes only what is needed here is read; new members never hurt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

PING, COMMAND, COMPONENT, COMPLETION = 1, 2, 3, 4
Id = Annotated[str, Meta(pattern=r"^[0-9]{1,20}\Z")]
Token = Annotated[str, Meta(min_length=1, max_length=1000)]
DEFAULT_LIMIT = 10_485_760
"""Bytes that files in a message may have, if nothing else is said."""


class User(Struct, frozen=True):
    """Somebody in Discord."""

    id: Id
    username: str = ""
    global_name: str | None = None


class Member(Struct, frozen=True):
    """Somebody in a server of Discord."""

    user: User


class Option(Struct, frozen=True):
    """What was filled into a command, or a part of the command."""

    name: str
    value: str | int | float | bool | None = None
    options: tuple[Option, ...] = ()
    focused: bool = False


class Resolved(Struct, frozen=True):
    """More about those who are named in options."""

    users: Mapping[str, User] = {}


class Data(Struct, frozen=True):
    """What was used, and how."""

    name: str = ""
    options: tuple[Option, ...] = ()
    resolved: Resolved = Resolved()
    custom_id: str = ""
    values: tuple[str, ...] = ()


class Interaction(Struct, frozen=True):
    """That somebody used something."""

    id: Id
    application_id: Id
    type: int
    token: Token
    data: Data = Data()
    member: Member | None = None  # in a server
    user: User | None = None  # elsewhere
    channel_id: Id | None = None
    attachment_size_limit: int = DEFAULT_LIMIT

    @property
    def who(self) -> User | None:
        """Who used it."""
        return self.member.user if self.member else self.user

    @property
    def command(self) -> str:
        """Which part of the command: `move` of `/annals move`."""
        return next((option.name for option in self.data.options), "")

    @property
    def filled(self) -> Mapping[str, object]:
        """What was filled in, by name."""
        return {one.name: one.value for one in self._inner() if one.value is not None}

    @property
    def focused(self) -> Option | None:
        """What somebody is just typing."""
        return next((one for one in self._inner() if one.focused), None)

    def _inner(self) -> Iterator[Option]:
        for part in self.data.options:
            yield from part.options


class EventUser(Struct, frozen=True):
    """What an event of Discord is about."""

    user: User | None = None


class EventBody(Struct, frozen=True):
    """An event of Discord."""

    type: str = ""
    data: EventUser = EventUser()


class EventCall(Struct, frozen=True):
    """What Discord tells by itself: a probe (0), or an event (1)."""

    application_id: Id
    type: int
    event: EventBody = EventBody()
