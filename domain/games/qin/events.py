"""The events of Qin; each one applies itself to the state."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.qin.board import KIND_NUMBER, Color, Half, Kind, Space
from domain.games.qin.state.table import RUINED, EndReason, LastPlacement, State


class FirstPlayerChosen(Event[State]):
    """QIN-3.6: this seat begins."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Set the first player."""
        state.first = self.seat


class TilesDealt(Event[State]):
    """QIN-3.3: a seat drew its first tiles; the other seats know only how many."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("kinds",)
    reveals: ClassVar[bool] = True

    seat: Seat
    kinds: tuple[Kind | None, ...]

    def apply(self, state: State) -> None:
        """Move the tiles from the pile to the hand."""
        for kind in self.kinds:
            _draw(state, self.seat, kind)


class TileDrawn(Event[State]):
    """QIN-9.1: a seat drew a tile; the other seats do not know which."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("kind",)
    reveals: ClassVar[bool] = True

    seat: Seat
    kind: Kind | None

    def apply(self, state: State) -> None:
        """Move the tile from the pile to the hand."""
        _draw(state, self.seat, self.kind)


class TilePlaced(Event[State]):
    """QIN-4.1: a tile moved from the hand to the board; each half is a single space at first."""

    seat: Seat
    kind: Kind
    halves: tuple[Half, Half]

    def apply(self, state: State) -> None:
        """Move the tile from the hand to two cells."""
        state.hands[self.seat][KIND_NUMBER[self.kind]] -= 1
        state.lay(self.halves)
        state.last = LastPlacement(self.seat, self.kind, self.halves)


class ProvinceExpanded(Event[State]):
    """QIN-5.5: a province of this seat grew by these spaces."""

    seat: Seat
    color: Color
    province: Space
    spaces: tuple[Space, ...]

    def apply(self, state: State) -> None:
        """Unite the spaces into one area with the same owner."""
        area = state.unite((self.province, *self.spaces))
        state.owners[area] = self.seat + 1


class ProvincesAbsorbed(Event[State]):
    """QIN-6.5: provinces became one province of this seat; `returned` has the pagodas by seat."""

    seat: Seat
    color: Color
    provinces: tuple[Space, ...]
    spaces: tuple[Space, ...]
    returned: tuple[int, ...]

    def apply(self, state: State) -> None:
        """Unite the areas under one owner, and return pagodas to the supplies."""
        area = state.unite((*self.provinces, *self.spaces))
        state.owners[area] = self.seat + 1
        _take_back(state, area, self.returned)


class MajorsRemoved(Event[State]):
    """QIN-14.2: major provinces met and fell to ruin; `returned` has the pagodas by seat."""

    color: Color
    provinces: tuple[Space, ...]
    spaces: tuple[Space, ...]
    returned: tuple[int, ...]

    def apply(self, state: State) -> None:
        """Unite the areas without an owner for ever, and return pagodas to the supplies."""
        area = state.unite((*self.provinces, *self.spaces))
        state.owners[area] = RUINED
        _take_back(state, area, self.returned)


class RuinExpanded(Event[State]):
    """QIN-14.3: these spaces became part of a ruined area, or joined several into one."""

    color: Color
    ruins: tuple[Space, ...]
    spaces: tuple[Space, ...]

    def apply(self, state: State) -> None:
        """Unite the areas without an owner for ever."""
        area = state.unite((*self.ruins, *self.spaces))
        state.owners[area] = RUINED


class ProvinceFounded(Event[State]):
    """QIN-5.4: these spaces became a province of this seat, which placed a pagoda."""

    seat: Seat
    color: Color
    spaces: tuple[Space, ...]
    pagodas: int = 1

    def apply(self, state: State) -> None:
        """Unite the spaces, set the owner and move a pagoda there from their supply."""
        area = state.unite(self.spaces)
        state.owners[area] = self.seat + 1
        _place(state, self.seat, area, self.pagodas)


class MajorCreated(Event[State]):
    """QIN-5.5: a province became major, and its owner completed its two pagodas."""

    seat: Seat
    province: Space
    pagodas: int = 1

    def apply(self, state: State) -> None:
        """Move pagodas from the supply to the province."""
        _place(state, self.seat, state.area(self.province), self.pagodas)


class VillageLost(Event[State]):
    """QIN-7.4: the owner of a village took back a pagoda, as another player is stronger."""

    seat: Seat
    village: Space

    def apply(self, state: State) -> None:
        """Move the pagoda from the village to the supply."""
        _occupy(state, self.village, 0)
        state.supply[self.seat] += 1


class VillageConnected(Event[State]):
    """QIN-7.3: this seat placed a pagoda on a village without an owner."""

    seat: Seat
    village: Space

    def apply(self, state: State) -> None:
        """Move a pagoda from the supply to the village."""
        _occupy(state, self.village, self.seat + 1)
        state.supply[self.seat] -= 1


class VillageConquered(Event[State]):
    """QIN-7.4: this seat placed a pagoda on a village that its former owner lost."""

    seat: Seat
    village: Space
    former: Seat

    def apply(self, state: State) -> None:
        """Move a pagoda from the supply to the village."""
        _occupy(state, self.village, self.seat + 1)
        state.supply[self.seat] -= 1


class TurnPassed(Event[State]):
    """QIN-9.3: this seat has no legal placement, so the turn passed to the next seat."""

    reveals: ClassVar[bool] = True

    seat: Seat

    def apply(self, state: State) -> None:
        """Change nothing."""


class GameEnded(Event[State]):
    """The game is over, and all see the hands."""

    reveals: ClassVar[bool] = True

    reason: EndReason
    winners: tuple[Seat, ...]
    supplies: tuple[int, ...]

    @property
    def rule(self) -> str:
        """The rule by which it ended."""
        return "QIN-10.1" if self.reason == "last_pagoda" else "QIN-10.2"

    def apply(self, state: State) -> None:
        """Set how the game ended and who won."""
        state.ended = self.reason
        state.winners = self.winners


def _draw(state: State, seat: Seat, kind: Kind | None) -> None:
    assert kind is not None, "a redacted event cannot be folded"
    number = KIND_NUMBER[kind]
    state.pile[number] -= 1
    state.hands[seat][number] += 1


def _take_back(state: State, area: int, returned: tuple[int, ...]) -> None:
    state.pagodas[area] -= sum(returned)
    for seat, count in enumerate(returned):
        state.supply[seat] += count


def _place(state: State, seat: Seat, area: int, pagodas: int) -> None:
    state.pagodas[area] += pagodas
    state.supply[seat] -= pagodas


def _occupy(state: State, village: Space, holder: int) -> None:
    state.villages[village[0] * state.board.width + village[1]] = holder
