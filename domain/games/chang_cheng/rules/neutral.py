"""Two players: neutral walls."""

from __future__ import annotations

from collections.abc import Iterable

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.engine.sentences import either, verbatim
from domain.games.chang_cheng.board import CELL_NUMBER
from domain.games.chang_cheng.events.course import NeutralDeclined
from domain.games.chang_cheng.events.wall import NeutralBuilt
from domain.games.chang_cheng.moves import BuildNeutral, DeclineNeutral
from domain.games.chang_cheng.places import place_names
from domain.games.chang_cheng.rules import open_cells, slots
from domain.games.chang_cheng.rules.building import apply_effects
from domain.games.chang_cheng.state.steps import ForcedNeutral, Neutral, OfferNeutral
from domain.games.chang_cheng.state.table import NEUTRAL, State, region_with


def then_neutral(p: Play[State], seat: Seat, regions: tuple[str, ...], *, inside: bool) -> None:
    """Plan a neutral wall for the end of the action, between two players: CC-11.1, CC-11.2."""
    if p.state.setup.neutral:
        p.then(Neutral(seat=seat, regions=regions, inside=inside))


def offer(p: Play[State], step: Neutral) -> None:
    """Offer a neutral wall, if one can be built inside or outside these regions: CC-11.3."""
    if neutral_row(p.state, step.regions, inside=step.inside):
        p.then(OfferNeutral((step.seat,), regions=step.regions, inside=step.inside))


def neutral_row(state: State, regions: Iterable[str], *, inside: bool) -> int:
    """Mark where a neutral wall may go inside or outside these regions: CC-11.3, CC-11.4."""
    if not state.singles[NEUTRAL]:
        return 0
    there = open_cells.inside if inside else open_cells.outside
    return there(state, regions, open_cells.open_row(state, NEUTRAL))


def offered(state: State, step: OfferNeutral, seat: Seat) -> Iterable[BuildNeutral]:
    """A neutral single on each open cell inside or outside some regions: CC-11.3, CC-11.4."""
    row = neutral_row(state, step.regions, inside=step.inside)
    return open_cells.select(slots.slots_on(state.wall, seat).neutral, row)


def forced(state: State, _step: ForcedNeutral, seat: Seat) -> Iterable[BuildNeutral]:
    """A neutral single on each open cell: CC-11.4, CC-11.6."""
    row = neutral_row(state, (), inside=False)
    return open_cells.select(slots.slots_on(state.wall, seat).neutral, row)


def check_offered(state: State, step: OfferNeutral, move: BuildNeutral) -> None:
    """Refuse a neutral single in a region where it does not belong: CC-11.3, CC-11.4."""
    _check_single(state, move)
    region = region_with(state, move.cell)
    if (region in step.regions) != step.inside:
        key = f"fault_not_this_region_{'inside' if step.inside else 'outside'}"
        regions = either(verbatim)(None, place_names(*step.regions))
        raise RuleBroken("CC-11.3", "not_this_region", key, regions=regions)


def check_forced(state: State, _step: ForcedNeutral, move: BuildNeutral) -> None:
    """Refuse a neutral single on a cell that is not open to it: CC-11.4, CC-11.6."""
    _check_single(state, move)


def build(p: Play[State], step: Step, move: BuildNeutral) -> None:
    """Build a neutral single, which its builder does not own: CC-11.2, CC-11.4, CC-11.6."""
    rule = "CC-11.6" if isinstance(step, ForcedNeutral) else "CC-11.2"
    p.emit(NeutralBuilt(move.seat, move.cell, rule))
    apply_effects(p, move.seat, (CELL_NUMBER[move.cell],), None)


def decline(p: Play[State], _step: OfferNeutral, move: DeclineNeutral) -> None:
    """Build no neutral single: CC-11.2."""
    p.emit(NeutralDeclined(move.seat))


def _check_single(state: State, move: BuildNeutral) -> None:
    """Refuse a neutral single without supply or on a closed cell: CC-11.1, CC-11.4."""
    if not state.singles[NEUTRAL]:
        raise RuleBroken("CC-11.1", "none_left", "fault_none_left_neutral")
    open_cells.check_open(state, move.cell, NEUTRAL)
