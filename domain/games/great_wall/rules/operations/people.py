"""Operations with clerks, advisors, Overseers and Locations: GW-18.6."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall.cards import ops
from domain.games.great_wall.events.clerks import ClerksDoubled
from domain.games.great_wall.rules import activation
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import production
from domain.games.great_wall.rules.locations import clerks, embassy
from domain.games.great_wall.rules.operations.numbers import value_of, value_or_all
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.bills import bill_of
from domain.games.great_wall.state.table import State


def move_clerks(p: Play[State], here: Perform, op: ops.MoveClerks) -> None:
    """Move clerks; cards of others change how many for some clans: GW-6.2, GW-18.5, GW-18.6."""
    count = value_or_all(p.state, here, op.n)
    if count is not None and here.script.endswith("/others"):
        count = max(0, count + modifiers.other_moves_bonus(p.state, here.clan))
    clerks.ask_moves(p, here.clan, count, op.spread)


def activate_locations(p: Play[State], here: Perform, op: ops.AdvancedActivation) -> None:
    """Activate Locations with clerks on them: GW-6.6, GW-18.6."""
    activation.ask_advanced(p, here.clan, value_of(p.state, here, op.n), op.where)


def clerks_count_as(p: Play[State], here: Perform, op: ops.ClerksCountAs) -> None:
    """Let the clan's clerks count as more until the turn ends: GW-6.8, GW-18.6."""
    p.emit(ClerksDoubled(here.clan, op.where, value_of(p.state, here, op.each)))


def hire_clerk(p: Play[State], here: Perform, op: ops.HireClerk) -> None:
    """Hire clerks: GW-8.9, GW-18.6."""
    bill = bill_of(op.cost) if op.cost else None
    embassy.ask_clerks(p, here.clan, value_of(p.state, here, op.n), bill)


def hire_advisor(p: Play[State], here: Perform, op: ops.HireAdvisor) -> None:
    """Hire advisors: GW-8.9, GW-18.6."""
    less = value_of(p.state, here, op.discount)
    embassy.ask_advisors(p, here.clan, value_of(p.state, here, op.n), less)


def upgrade_overseer(p: Play[State], here: Perform, op: ops.UpgradeOverseer) -> None:
    """Upgrade Overseers without clerks there: GW-8.4, GW-18.6."""
    count, less = value_of(p.state, here, op.n), value_of(p.state, here, op.discount)
    production.ask_upgrades(p, here.clan, count, op.where, less, op.free)


def return_clerks(p: Play[State], here: Perform, op: ops.ReturnClerks) -> None:
    """Let every player take clerks back: GW-18.6."""
    clerks.send_back(p, op.where, value_of(p.state, here, op.n))
