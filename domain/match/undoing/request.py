"""A request for an undo or redo, and the moves that it is about."""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat


class RequestedMoves(msgspec.Struct, frozen=True):
    """The moves that an undo takes back, or that a redo makes again."""

    seat: Seat  # the seat that made the first of them, from 0
    own: int  # how many of them this seat made
    others: int  # how many of them other seats made
    instead: int  # how many moves of the current line that a redo takes back for them


class UndoRequest(msgspec.Struct, frozen=True):
    """A request to undo or redo to a version, and the players who have not answered yet."""

    player: str
    to: int
    redo: bool
    asked: tuple[str, ...]
    expires: int  # ms since the epoch
    moves: RequestedMoves | msgspec.UnsetType = msgspec.UNSET  # entries once named none
