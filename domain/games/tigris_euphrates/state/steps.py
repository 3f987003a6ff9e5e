"""The steps of the agenda."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.engine.play import Seat, Step
from domain.games.tigris_euphrates.board import Cell, Color


class Conflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Two leaders in conflict, with their owners and cells: TE-9.1, TE-9.7."""

    kind: Literal["revolt", "war"]
    color: Color
    attacker: Seat
    defender: Seat
    attacker_at: Cell
    defender_at: Cell
    attacker_board: int
    defender_board: int

    @property
    def support(self) -> Color:
        """The colour of the tiles that count: TE-10.2, TE-11.5."""
        return "red" if self.kind == "revolt" else self.color


class Turn(Step, kw_only=True):
    """The active player has some actions left: TE-3.1."""

    left: int


class Swap(Step, kw_only=True):
    """Tiles were discarded: discard another one, or draw as many: TE-8.1."""

    discarded: int


class EndTurn(Step, kw_only=True):
    """The turn of this seat ends: monuments, refilling, the end of the game or the next seat:
    TE-3.4.
    """

    seat: Seat


class Reinforce(Step, kw_only=True):
    """Commit tiles to a conflict, or none: TE-9.3."""

    conflict: Conflict


class Resolve(Step, kw_only=True):
    """Compare the strengths: TE-9.4."""

    conflict: Conflict


class FindWars(Step, kw_only=True):
    """Look for leaders of one colour in the united kingdom: TE-11.10."""

    seat: Seat
    rule: str = "TE-11.2"


class ChooseWar(Step, kw_only=True):
    """Choose the colour of the next war: TE-11.3."""

    colors: tuple[Color, ...]


class FindSquares(Step, kw_only=True):
    """Check whether the tile that this seat placed completed a square: TE-12.1."""

    seat: Seat
    at: Cell


class OfferMonument(Step, kw_only=True):
    """Build a monument on one of these squares, named by their top left cells, or not: TE-12.2."""

    color: Color
    squares: tuple[Cell, ...]


class ServeTraders(Step, kw_only=True):
    """The action of this seat is over; traders take treasures: TE-13.1."""

    seat: Seat


class ChooseTreasure(Step, kw_only=True):
    """Choose which of these treasures stays, and take all others of the kingdom: TE-13.2."""

    choices: tuple[Cell, ...]


AnyStep = (
    Turn
    | Swap
    | EndTurn
    | Reinforce
    | Resolve
    | FindWars
    | ChooseWar
    | FindSquares
    | OfferMonument
    | ServeTraders
    | ChooseTreasure
)
