"""Operations with resources, honor, tactic cards, Shame and command cards: GW-18.6."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.cards import ops
from domain.games.great_wall.rules import summer, tea_house
from domain.games.great_wall.rules.goods import production, shame, supply
from domain.games.great_wall.rules.operations.numbers import source_of, value_of, value_or_all
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.table import State

RULE = "GW-18.6"
"""The rule of all operations."""


def gain(p: Play[State], here: Perform, op: ops.Gain) -> None:
    """Take resources, honor and tactic cards: GW-18.6."""
    supply.gain(p, here.clan, _read_amounts(p.state, here, op), RULE)
    supply.change_honor(p, here.clan, value_of(p.state, here, op.honor), source_of(here), RULE)
    types = op.any_of or board.RESOURCES
    supply.choose(p, here.clan, value_of(p.state, here, op.any), RULE, types, op.different)
    supply.draw_tactics(p, here.clan, value_of(p.state, here, op.tactics), RULE)


def lose(p: Play[State], here: Perform, op: ops.Lose) -> None:
    """Lose resources, honor and tactic cards, as far as the clan has them: GW-18.6."""
    supply.lose(p, here.clan, _read_amounts(p.state, here, op))
    supply.change_honor(p, here.clan, -value_of(p.state, here, op.honor), source_of(here), RULE)
    held = len(p.state.clans[here.clan].tactics)
    supply.keep_tactics(p, here.clan, max(0, held - value_of(p.state, here, op.tactics)), RULE)
    types = op.any_of or board.RESOURCES
    supply.lose_any(p, here.clan, value_of(p.state, here, op.any), RULE, types)


def _read_amounts(state: State, here: Perform, op: ops.Gain | ops.Lose) -> board.Cost:
    """The amounts of resources that an operation names."""
    row = zip(board.RESOURCES, (op.wood, op.stone, op.gold, op.chi), strict=True)
    return {name: value_of(state, here, amount) for name, amount in row if amount}


def warehouse_add(p: Play[State], here: Perform, op: ops.WarehouseAdd) -> None:
    """Put resources from the supply into the Warehouse: GW-8.12, GW-18.6."""
    supply.stock(p, here.clan, value_of(p.state, here, op.n), op.any_of)


def overseer_income(p: Play[State], here: Perform, op: ops.OverseerIncome) -> None:
    """Take what Overseers yield: GW-18.6."""
    count = value_or_all(p.state, here, op.n)
    production.ask_incomes(p, here.clan, count, op.whose, op.where)


def donate(p: Play[State], here: Perform, op: ops.Donate) -> None:
    """Donate resources: GW-8.5, GW-18.6."""
    production.ask_donations(p, here.clan, value_of(p.state, here, op.n))


def discard_shame(p: Play[State], here: Perform, op: ops.DiscardShame) -> None:
    """Return Shame tokens of the clan: GW-18.6, GW-11.4."""
    shame.discard(p, here.clan, value_or_all(p.state, here, op.n), RULE)


def gain_shame(p: Play[State], here: Perform, op: ops.GainShame) -> None:
    """Get Shame tokens: GW-18.6, GW-11.2."""
    shame.gain(p, here.clan, value_of(p.state, here, op.n), RULE)


def tea_up(p: Play[State], here: Perform, op: ops.TeaUp) -> None:
    """Move the Tea marker of the clan up: GW-18.6, GW-8.7."""
    tea_house.move_up(p, here.clan, None if op.steps == "top" else op.steps, RULE)


def reclaim(p: Play[State], here: Perform, op: ops.Reclaim) -> None:
    """Take command cards back from the discard: GW-18.6."""
    summer.reclaim(p, here.clan, value_or_all(p.state, here, op.n), RULE)
