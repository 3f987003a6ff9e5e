"""The moves of Qin."""

from __future__ import annotations

from domain.engine.play import Move
from domain.games.qin.board import Half, Kind


class PlaceTile(Move):
    """Place a tile from the hand: its kind, and the colour and space of each half: QIN-4.1."""

    kind: Kind
    halves: tuple[Half, Half]
