"""Steps about effects of cards, and about moments for tactic cards.

A step identifies an effect: `script` is the address of a list of operations (see `cards.scripts`),
`at` the number of one of them.
"""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Seat, Step
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.state.bills import Bill, bill_of
from domain.games.great_wall.state.context import NOTHING, Context


class Perform(Step, kw_only=True):
    """Let a clan do an operation of a card, and then those after it: GW-18.6."""

    clan: int
    script: str
    at: int = 0
    context: Context = NOTHING
    alone: bool = False  # only this clan does what each player would do
    counts: int | None = None  # the clan that amounts count for, if not this one


class UseAbilities(Step, kw_only=True):
    """Let a clan use these abilities, each once: GW-1.6, GW-18.4."""

    clan: int
    waiting: tuple[str, ...]  # addresses of their operations
    context: Context


class OrderAbilities(Step, kw_only=True):
    """Choose which of these abilities is used next: GW-1.6."""

    waiting: tuple[str, ...]
    context: Context


class Consider(Step, kw_only=True):
    """Pay for what an operation offers, or leave it; up to `left` times: GW-18.6."""

    here: Perform
    left: int

    @property
    def price(self) -> Bill:
        """What is paid each time: GW-18.2."""
        op = next(iter(SCRIPTS.get(self.here.script, ())[self.here.at :]), None)
        return bill_of(op.cost if isinstance(op, ops.May) else None)


class ChooseOption(Step, kw_only=True):
    """Choose `left` more options of an operation: GW-18.6."""

    here: Perform
    left: int
    taken: tuple[int, ...] = ()


class NamePlayers(Step, kw_only=True):
    """Name up to `left` more players who do something: GW-18.6."""

    here: Perform
    left: int
    named: tuple[Seat, ...] = ()


class CopyCommand(Step):
    """Choose the command card that Betrayal copies: GW-9.6."""


class React(Step, kw_only=True):
    """Play a tactic card, or none, in secret: GW-9.4."""

    windows: tuple[tuple[Seat, tuple[Window, ...]], ...]  # by seat, the open windows
    context: Context


class PlayReactions(Step, kw_only=True):
    """Play the cards that these seats chose, one after the other: GW-9.4."""

    secret: ClassVar[bool] = True

    left: tuple[Seat, ...]
    windows: tuple[tuple[Seat, tuple[Window, ...]], ...]
    context: Context


class SpendTactic(Step, kw_only=True):
    """End the effect of a tactic card: GW-9.3."""

    card: str
