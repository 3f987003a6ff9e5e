"""What Discord sends: interactions and events.

Only the members that Annals needs are declared; Discord may add others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

PING, COMMAND, COMPONENT, COMPLETION = 1, 2, 3, 4
Id = Annotated[str, Meta(pattern=r"^[0-9]{1,20}\Z")]
Token = Annotated[str, Meta(min_length=1, max_length=1000)]
DEFAULT_MAX_FILE_BYTES = 10_485_760
"""Maximum size of files in a message, unless the interaction sets another one."""


class User(Struct, frozen=True):
    """A Discord user."""

    id: Id
    username: str = ""
    global_name: str | None = None


class Member(Struct, frozen=True):
    """A member of a Discord server."""

    user: User


class Option(Struct, frozen=True):
    """An option of a command, or a subcommand with its options."""

    name: str
    value: str | int | float | bool | None = None
    options: tuple[Option, ...] = ()
    focused: bool = False


class ResolvedData(Struct, frozen=True):
    """The users that options refer to."""

    users: Mapping[str, User] = {}


class InteractionData(Struct, frozen=True):
    """The command, button or menu, and its values."""

    name: str = ""
    options: tuple[Option, ...] = ()
    resolved: ResolvedData = ResolvedData()
    custom_id: str = ""
    values: tuple[str, ...] = ()


class Interaction(Struct, frozen=True):
    """A user has used a command, a button or a menu, or is typing an option."""

    id: Id
    application_id: Id
    type: int
    token: Token
    data: InteractionData = InteractionData()
    member: Member | None = None  # in a server
    user: User | None = None  # elsewhere
    channel_id: Id | None = None
    attachment_size_limit: int = DEFAULT_MAX_FILE_BYTES

    @property
    def sender(self) -> User | None:
        """The user who sent it."""
        return self.member.user if self.member else self.user

    @property
    def command(self) -> str:
        """The subcommand: `move` of `/annals move`."""
        return next((option.name for option in self.data.options), "")

    @property
    def values(self) -> Mapping[str, object]:
        """The values of the options, by name."""
        return {one.name: one.value for one in self._inner() if one.value is not None}

    @property
    def focused(self) -> Option | None:
        """The option that the user is typing."""
        return next((one for one in self._inner() if one.focused), None)

    def _inner(self) -> Iterator[Option]:
        for part in self.data.options:
            yield from part.options


class EventUser(Struct, frozen=True):
    """The user of a Discord event."""

    user: User | None = None


class EventBody(Struct, frozen=True):
    """A Discord event."""

    type: str = ""
    data: EventUser = EventUser()


class EventRequest(Struct, frozen=True):
    """A request to the event endpoint: a probe (0), or an event (1)."""

    application_id: Id
    type: int
    event: EventBody = EventBody()
