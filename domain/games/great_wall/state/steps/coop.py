"""What there can still be to do in the cooperative game alone: GW-16.

An order of players is asked for above the step that goes by it: it stands there with its `clans` in
Tea order, and has them in the order that was chosen when the question is answered.
"""

from __future__ import annotations

from domain.engine.play import Step
from domain.games.great_wall import board
from domain.games.great_wall.state.steps.effects import Perform


class EventStep(Step):
    """Reveal an event, and do what it says: GW-16.14."""


class OrderPlayers(Step, kw_only=True):
    """Name which of these clans is next, one after the other: GW-16.3."""

    waiting: tuple[int, ...]  # clans that are not named yet, in Tea order
    named: tuple[int, ...] = ()  # those that come before them, in this order


class ResolveInOrder(Step, kw_only=True):
    """These clans resolve a Location, in this order: GW-6.5, GW-16.3."""

    location: board.Location
    advanced: bool
    clans: tuple[int, ...]


class OthersInOrder(Step, kw_only=True):
    """These clans resolve the part for others of the card on a slot, in this order: GW-16.3."""

    slot: int
    clans: tuple[int, ...]


class EachInOrder(Step, kw_only=True):
    """Each of these clans does this, in this order: GW-16.3, GW-18.6."""

    here: Perform
    clans: tuple[int, ...]


InOrder = ResolveInOrder | OthersInOrder | EachInOrder
"""What several clans do one after the other."""
