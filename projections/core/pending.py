"""What waits for the answers of players, in the summary of a match."""

from __future__ import annotations

import msgspec

from domain.match.state import ProposalKind
from domain.match.undoing.request import RequestedMoves


class PendingUndo(msgspec.Struct, frozen=True):
    """A request to undo or redo, and the players who have not answered yet."""

    player: str
    to: int
    redo: bool
    asked: tuple[str, ...]
    since: int
    expires: int
    moves: RequestedMoves | msgspec.UnsetType = msgspec.UNSET


class PendingProposal(msgspec.Struct, frozen=True):
    """A proposal, and the players who have not answered yet."""

    kind: ProposalKind
    player: str
    asked: tuple[str, ...]
    since: int
    expires: int
