"""What things cost a clan now, with all discounts of its cards and of events: GW-8, GW-18.5."""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat
from domain.games.great_wall import board
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import production, shame
from domain.games.great_wall.rules.locations import barracks, builders, embassy
from domain.games.great_wall.rules.war import kills
from domain.games.great_wall.state.agenda.clerks import Build, Hire, Upgrade
from domain.games.great_wall.state.agenda.soldiers import Recruit
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.table import State


class Costs(msgspec.Struct, frozen=True, gc=False):
    """What a clan pays in the Locations and for soldiers and Shame."""

    recruits: dict[board.Soldier, Bill]  # by type, for one soldier in the Barracks: GW-8.6
    overseers: dict[board.Location, Bill]  # the next level of each; none at the top: GW-8.4
    walls: dict[board.Section, int]  # the next part of each, in wood, stone and gold: GW-8.8
    barricade: int  # in wood, stone and gold: GW-8.8
    clerk: Bill  # a clerk: GW-8.9
    advisor: Bill  # the next one: GW-8.9
    life: Bill  # for one soldier that is about to be killed: GW-10.12
    shame: Bill  # for one token that the clan returns in Summer: GW-12.2, GW-16.6


_RECRUIT = Recruit(left=1, types=board.SOLDIERS)
_UPGRADE = Upgrade(left=1, where=tuple(board.PRODUCTION))
_BUILD = Build(left=1, barricades=(), walls=())
_HIRE = Hire(left=1, clerk=embassy.CLERK_BILL, advisors=True)


def costs_of(state: State, seat: Seat) -> Costs:
    """The costs of a player's clan: GW-8.4, GW-8.6, GW-8.8, GW-8.9, GW-10.12, GW-12.2."""
    return Costs(
        recruits={one: barracks.bill(state, _RECRUIT, seat, one) for one in board.SOLDIERS},
        overseers=_overseers(state, seat),
        walls={
            section: builders.price(state, _BUILD, seat, section)
            for section in state.setup.table.sections
            if state.wall(section) < board.TOP_LEVEL
        },
        barricade=builders.price(state, _BUILD, seat, None),
        clerk=embassy.CLERK_BILL,
        advisor=embassy.price(state, _HIRE, seat),
        life=kills.price(state, seat),
        shame=shame.price(state, seat),
    )


def _overseers(state: State, seat: Seat) -> dict[board.Location, Bill]:
    """What the next level of each Overseer costs: GW-8.4."""
    if not modifiers.can_have_overseers(state, seat):
        return {}
    return {
        location: production.price(state, _UPGRADE, seat, location)
        for location in board.PRODUCTION
        if state.clans[seat].level(location) < board.OVERSEER_TOP
    }
