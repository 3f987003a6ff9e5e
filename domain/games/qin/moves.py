"""What a player of Qin can choose."""

from __future__ import annotations

from domain.engine.play import Move
from domain.games.qin.board import Half, Kind


class PlaceTile(Move):
    """Place a tile of the hand: its kind, and each half with its colour on its space: QIN-4.1."""

    kind: Kind
    halves: tuple[Half, Half]
