"""What Generals and Active Advisors change for their owner: GW-18.5."""

from __future__ import annotations

from typing import Literal

from domain.engine.play import Seat
from domain.games.great_wall import board
from domain.games.great_wall.state.table import State


def recruit_less(_state: State, _seat: Seat, _soldier: board.Soldier) -> board.Cost:
    """What each soldier of a type costs less: GW-18.5."""
    return {}


def recruit_less_total(_state: State, _seat: Seat, _types: tuple[board.Soldier, ...]) -> int:
    """How many resources fewer all recruits together cost: GW-18.5."""
    return 0


def upgrade_less(_state: State, _seat: Seat, _location: board.Location) -> int:
    """What an upgrade there costs less: GW-18.5."""
    return 0


def build_less(_state: State, _seat: Seat, _what: Literal["wall", "barricade"]) -> int:
    """What building costs less: GW-18.5."""
    return 0


def save_less(_state: State, _seat: Seat) -> int:
    """How much chi less it costs to save a soldier: GW-18.5."""
    return 0


def advisor_less(_state: State, _seat: Seat) -> int:
    """How much gold less an advisor costs: GW-18.5."""
    return 0


def shame_less(_state: State, _seat: Seat) -> int:
    """How much chi less it costs in Summer to discard a Shame token: GW-18.5."""
    return 0


def counts(_state: State, _seat: Seat, _location: board.Location, clerks: int) -> int:
    """As how many the clerks of a seat count while a Location is resolved: GW-6.8."""
    return clerks


def hand_limit(_state: State, _seat: Seat) -> int:
    """How many tactic cards a seat can hold: GW-9.5."""
    return board.HAND_LIMIT


def wild(_state: State, _seat: Seat) -> board.Resource | None:
    """A resource that pays in place of any other: GW-18.5."""
    return None


def overseers_allowed(_state: State, _seat: Seat) -> bool:
    """Whether a seat can have Overseers at all: GW-18.5."""
    return True


def yield_choice(_state: State, _seat: Seat, _location: board.Location) -> bool:
    """Whether what the Overseer there yields is of any type: GW-18.5."""
    return False


def breach_shield(_state: State, _seat: Seat) -> int:
    """How many Shame tokens of a breach a seat ignores: GW-18.5."""
    return 0


def spearman_rows(_state: State, _seat: Seat) -> int:
    """In how many rows Spearmen attack: GW-10.3."""
    return 1
