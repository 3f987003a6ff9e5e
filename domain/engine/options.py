"""Options that several games have."""

from __future__ import annotations

from typing import Annotated

import msgspec

from domain.engine.errors import BadOptions
from domain.engine.play import Seat

FirstPlayer = Annotated[
    str,
    msgspec.Meta(
        pattern="^(random|seat:[0-9])$",
        max_length=6,  # `$` would let a line end follow
        description="`random`, or a seat such as `seat:0`.",
    ),
]
"""Who begins."""


def first_seat(chosen: str, seats: int) -> Seat | None:
    """The seat that an option FirstPlayer names, None for chance; BadOptions if there is none."""
    if chosen == "random":
        return None
    seat = int(chosen.removeprefix("seat:"))
    if seat >= seats:
        raise BadOptions(f"`first_player` is {chosen}, but the seats are 0 to {seats - 1}.")
    return seat
