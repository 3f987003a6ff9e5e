"""What can happen in Qin; each fact writes itself down."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.qin.board import KIND_NUMBER, Color, Half, Kind, Space
from domain.games.qin.state.table import RUINED, EndReason, LastPlacement, State


class FirstPlayerChosen(Event[State]):
    """QIN-3.6: this seat begins."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Note who began."""
        state.first = self.seat


class TilesDealt(Event[State]):
    """QIN-3.3: a seat drew its first tiles; the others know only how many."""

    hidden: ClassVar[tuple[str, ...]] = ("kinds",)
    reveals: ClassVar[bool] = True

    seat: Seat
    kinds: tuple[Kind | None, ...]

    def apply(self, state: State) -> None:
        """From the pile to the hand."""
        for kind in self.kinds:
            _draw(state, self.seat, kind)


class TileDrawn(Event[State]):
    """QIN-9.1: a seat drew a tile; the others do not know which."""

    hidden: ClassVar[tuple[str, ...]] = ("kind",)
    reveals: ClassVar[bool] = True

    seat: Seat
    kind: Kind | None

    def apply(self, state: State) -> None:
        """From the pile to the hand."""
        _draw(state, self.seat, self.kind)


class TilePlaced(Event[State]):
    """QIN-4.1: a tile came from the hand to the board; each half is a single space at first."""

    seat: Seat
    kind: Kind
    halves: tuple[Half, Half]

    def apply(self, state: State) -> None:
        """From the hand to two cells."""
        state.hands[self.seat][KIND_NUMBER[self.kind]] -= 1
        state.lay(self.halves)
        state.last = LastPlacement(self.seat, self.kind, self.halves)


class ProvinceExpanded(Event[State]):
    """QIN-5.5: a province grew by these spaces; it is still this seat's."""

    seat: Seat
    color: Color
    province: Space
    spaces: tuple[Space, ...]

    def apply(self, state: State) -> None:
        """One area, the owner as before."""
        area = state.unite((self.province, *self.spaces))
        state.owners[area] = self.seat + 1


class ProvincesAbsorbed(Event[State]):
    """QIN-6.5: provinces became one, this seat's; by seat, the pagodas that came back."""

    seat: Seat
    color: Color
    provinces: tuple[Space, ...]
    spaces: tuple[Space, ...]
    returned: tuple[int, ...]

    def apply(self, state: State) -> None:
        """One area, one owner, pagodas back into the supplies."""
        area = state.unite((*self.provinces, *self.spaces))
        state.owners[area] = self.seat + 1
        _take_back(state, area, self.returned)


class MajorsRemoved(Event[State]):
    """QIN-14.2: major provinces met and fell to ruin; by seat, the pagodas that came back."""

    color: Color
    provinces: tuple[Space, ...]
    spaces: tuple[Space, ...]
    returned: tuple[int, ...]

    def apply(self, state: State) -> None:
        """One area without an owner for ever, pagodas back into the supplies."""
        area = state.unite((*self.provinces, *self.spaces))
        state.owners[area] = RUINED
        _take_back(state, area, self.returned)


class RuinExpanded(Event[State]):
    """QIN-14.3: these spaces became part of a ruined area, or of several that are now one."""

    color: Color
    ruins: tuple[Space, ...]
    spaces: tuple[Space, ...]

    def apply(self, state: State) -> None:
        """One area without an owner for ever."""
        area = state.unite((*self.ruins, *self.spaces))
        state.owners[area] = RUINED


class ProvinceFounded(Event[State]):
    """QIN-5.4: these spaces became a province of this seat, which placed a pagoda."""

    seat: Seat
    color: Color
    spaces: tuple[Space, ...]
    pagodas: int = 1

    def apply(self, state: State) -> None:
        """One area with an owner and a pagoda from their supply."""
        area = state.unite(self.spaces)
        state.owners[area] = self.seat + 1
        _place(state, self.seat, area, self.pagodas)


class MajorCreated(Event[State]):
    """QIN-5.5: a province became major, and its owner placed what was missing to two pagodas."""

    seat: Seat
    province: Space
    pagodas: int = 1

    def apply(self, state: State) -> None:
        """From the supply to the province."""
        _place(state, self.seat, state.area(self.province), self.pagodas)


class VillageLost(Event[State]):
    """QIN-7.4: the owner of a village took a pagoda back, as another player is stronger there."""

    seat: Seat
    village: Space

    def apply(self, state: State) -> None:
        """From the village into the supply."""
        _occupy(state, self.village, 0)
        state.supply[self.seat] += 1


class VillageConnected(Event[State]):
    """QIN-7.3: this seat placed a pagoda on a village that nobody had."""

    seat: Seat
    village: Space

    def apply(self, state: State) -> None:
        """From the supply to the village."""
        _occupy(state, self.village, self.seat + 1)
        state.supply[self.seat] -= 1


class VillageConquered(Event[State]):
    """QIN-7.4: this seat placed a pagoda on a village that the former owner had to leave."""

    seat: Seat
    village: Space
    former: Seat

    def apply(self, state: State) -> None:
        """From the supply to the village."""
        _occupy(state, self.village, self.seat + 1)
        state.supply[self.seat] -= 1


class TurnPassed(Event[State]):
    """QIN-9.3: this seat has no legal placement, and so the turn went on to the next."""

    reveals: ClassVar[bool] = True

    seat: Seat

    def apply(self, state: State) -> None:
        """Nothing changes on the table."""


class GameEnded(Event[State]):
    """QIN-10.1, QIN-10.2: the game is over."""

    reason: EndReason
    winners: tuple[Seat, ...]
    supplies: tuple[int, ...]

    def apply(self, state: State) -> None:
        """Note how it ended, and for whom."""
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
