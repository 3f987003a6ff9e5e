"""What there can still be to do by the effects of cards, and while seats may play tactic cards.

A step says where in which card an effect stands: `script` is the address of a list of operations
(see `cards.scripts`), `at` the number of one of them.
"""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Seat, Step
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.state.context import NOTHING, Context


class Perform(Step, kw_only=True):
    """A clan does an operation of a card, and then those behind it: GW-18.6."""

    clan: int
    script: str
    at: int = 0
    context: Context = NOTHING
    alone: bool = False  # what each player would do is done by this clan only
    counts: int | None = None  # the clan that amounts are about, if not this one


class UseAbilities(Step, kw_only=True):
    """A clan uses these abilities, each of them once: GW-1.6, GW-18.4."""

    clan: int
    waiting: tuple[str, ...]  # addresses of what they do
    context: Context


class OrderAbilities(Step, kw_only=True):
    """Choose which of these abilities is used next: GW-1.6."""

    waiting: tuple[str, ...]
    context: Context


class Consider(Step, kw_only=True):
    """Pay for what an operation offers, or leave it; that often at most: GW-18.6."""

    here: Perform
    left: int


class ChooseOption(Step, kw_only=True):
    """Choose one of the options of an operation, so many in all: GW-18.6."""

    here: Perform
    left: int
    taken: tuple[int, ...] = ()


class NamePlayers(Step, kw_only=True):
    """Name players who do something, so many in all: GW-18.6."""

    here: Perform
    left: int
    named: tuple[Seat, ...] = ()


class CopyCommand(Step):
    """Choose the command card that Betrayal copies: GW-9.6."""


class React(Step, kw_only=True):
    """Play a tactic card, or none, in secret: GW-9.4."""

    windows: tuple[tuple[Seat, tuple[Window, ...]], ...]  # what is open for whom
    context: Context


class PlayReactions(Step, kw_only=True):
    """The cards that these seats chose are played, one after the other: GW-9.4."""

    secret: ClassVar[bool] = True

    left: tuple[Seat, ...]
    windows: tuple[tuple[Seat, tuple[Window, ...]], ...]
    context: Context


class SpendTactic(Step, kw_only=True):
    """The effect of a tactic card is over: GW-9.3."""

    card: str
