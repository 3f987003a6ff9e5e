"""What a player of Chang Cheng can choose, one small choice after another."""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.engine.play import Move
from domain.games.chang_cheng.board import BoardName


class BuildSingle(Move):
    """Build a single of your own: the first or second of two, or the one beside a card: CC-4.1."""

    cell: str


class BuildDouble(Move):
    """Build your double on two adjacent cells, the left one first: CC-4.4."""

    cells: tuple[str, str]


class BuildTower(Move):
    """Build your tower: CC-4.5."""

    cell: str


class LayCard(Move):
    """Lay a card face down in a region: CC-4.2, CC-4.3."""

    sealed: ClassVar[bool] = True
    visible_fields: ClassVar[tuple[str, ...]] = ("region",)

    region: str
    number: int


class EndAction(Move):
    """Leave it at one card, as a second one is not possible: CC-4.6."""

    own_events = ()


class ScoreFirst(Move):
    """Choose which of two full regions scores first: CC-6.2."""

    region: str


class StrikeCard(Move):
    """Warrior: remove the other card that waits with this number: CC-7.3."""

    number: int


class DestroyWall(Move):
    """Traitor: make a ruin of a single in the region: CC-7.4."""

    cell: str


class RemoveThreat(Move):
    """Traitor: remove the threat tile of a Mongol region beside the region: CC-7.4."""

    region: str


class ChangeValue(Move):
    """Flood or Architect: make the region worth this much more or less: CC-7.5."""

    change: Literal[2, -2]


class AddWall(Move):
    """Architect: one more wall for its owner: CC-7.5."""


class SwapWalls(Move):
    """Official: a single of the region and one of another region trade places: CC-7.7."""

    cells: tuple[str, str]


class DeclineCard(Move):
    """Warrior, Traitor, Official: do nothing: CC-7.1."""


class ExtendWall(Move):
    """Add a board of the reserve at the left or right end: CC-8.2."""

    board: BoardName
    side: Literal["left", "right"]


class BuildNeutral(Move):
    """Build a neutral single: CC-11.2."""

    cell: str


class DeclineNeutral(Move):
    """Build no neutral single: CC-11.2."""
