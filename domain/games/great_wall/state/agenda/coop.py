"""Steps of the cooperative game: GW-16.

The question for an order of players lies above the step that uses the order. That step has its
`clans` in Tea order, and in the chosen order once the question is answered.
"""

from __future__ import annotations

from domain.engine.play import Step
from domain.games.great_wall import board
from domain.games.great_wall.state.agenda.effects import Perform


class EventStep(Step):
    """Reveal an event, and do what it says: GW-16.14."""


class OrderPlayers(Step, kw_only=True):
    """Name the next of these clans, one by one: GW-16.3."""

    waiting: tuple[int, ...]  # clans not named yet, in Tea order
    named: tuple[int, ...] = ()  # named clans, in this order


class ResolveInOrder(Step, kw_only=True):
    """Let these clans resolve a Location, in this order: GW-6.5, GW-16.3."""

    location: board.Location
    advanced: bool
    clans: tuple[int, ...]


class OthersInOrder(Step, kw_only=True):
    """Let these clans resolve the part for others of the card on a slot, in this order: GW-16.3."""

    slot: int
    clans: tuple[int, ...]


class EachInOrder(Step, kw_only=True):
    """Let each of these clans do this, in this order: GW-16.3, GW-18.6."""

    here: Perform
    clans: tuple[int, ...]


InOrder = ResolveInOrder | OthersInOrder | EachInOrder
"""A step of several clans in an order."""
