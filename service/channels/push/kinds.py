"""About what browsers notify their players, and the ids of their subscriptions in the outbox."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

PushKind = Literal["turn", "reminder", "request", "start", "end"]
KINDS: tuple[PushKind, ...] = get_args(PushKind)
"""In the order in which pages list them; the notices behind them are those of mail."""
USUAL_KINDS: tuple[PushKind, ...] = ("turn", "reminder", "request")
"""What a browser shows if its player chooses nothing: what waits for them."""
ID_PREFIX = "push:"
"""The prefix of the ids of the subscriptions of browsers."""


class Device(NamedTuple):
    """A browser of a player: the id of the player, and that of its subscription."""

    player: str
    subscription: str

    @property
    def outbox_id(self) -> str:
        """The id of its subscription in the outbox."""
        return f"{ID_PREFIX}{self.player}.{self.subscription}"


def device_of(outbox_id: str) -> Device | None:
    """Return the browser of a subscription in the outbox, or None if it is none."""
    if not outbox_id.startswith(ID_PREFIX):
        return None
    player, _, subscription = outbox_id.removeprefix(ID_PREFIX).partition(".")
    return Device(player, subscription)
