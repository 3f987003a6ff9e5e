"""The moves of a player."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Move
from domain.games.tigris_euphrates.board import Cell, Color, Pair


class PlaceLeader(Move):
    """Place the leader of a colour on a cell, or move it there: TE-5.1."""

    own_events = ("LeaderPlaced", "LeaderMoved")

    color: Color
    at: Cell


class WithdrawLeader(Move):
    """Withdraw the leader of a colour from the board: TE-5.1."""

    color: Color


class PlaceTile(Move):
    """Place a tile from the hand: TE-6.1."""

    color: Color
    at: Cell


class PlaceCatastrophe(Move):
    """Place a catastrophe tile: TE-7.1."""

    at: Cell


class DiscardTile(Move):
    """Discard a tile from the hand, to draw another one for it: TE-8.1."""

    sealed: ClassVar[bool] = True

    color: Color


class DrawTiles(Move):
    """Draw as many tiles as were discarded: TE-8.1."""

    own_events = ()


class Pass(Move):
    """Pass an action: TE-3.2."""


class ChooseColor(Move):
    """Choose the colour of the next war: TE-11.3."""

    color: Color


class CommitTiles(Move):
    """Commit this many tiles to the conflict: TE-9.3."""

    count: int


class BuildMonument(Move):
    """Build this monument on the square with this top left cell: TE-12.2."""

    monument: Pair
    at: Cell


class DeclineMonument(Move):
    """Build no monument: TE-12.2."""


class LeaveTreasure(Move):
    """Take all treasures of the kingdom except this one: TE-13.2."""

    at: Cell


InTurn = PlaceLeader | WithdrawLeader | PlaceTile | PlaceCatastrophe | DiscardTile | Pass
"""The actions of a turn: TE-3.1."""
