"""The function for each kind of operation: GW-18.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.engine.play import Play
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.rules.operations import blocks, goods, people, war
from domain.games.great_wall.rules.solo import cards as solo_cards
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.table import State

OPERATIONS: dict[type[ops.Operation], Callable[[Play[State], Perform, Any], None]] = {
    ops.Gain: goods.gain,
    ops.Lose: goods.lose,
    ops.May: blocks.may,
    ops.Choose: blocks.choose,
    ops.If: blocks.do_if,
    ops.EachPlayer: blocks.each_player,
    ops.ChoosePlayers: blocks.choose_players,
    ops.MoveClerks: people.move_clerks,
    ops.AdvancedActivation: people.activate_locations,
    ops.ClerksCountAs: people.clerks_count_as,
    ops.HireClerk: people.hire_clerk,
    ops.HireAdvisor: people.hire_advisor,
    ops.UpgradeOverseer: people.upgrade_overseer,
    ops.OverseerIncome: goods.overseer_income,
    ops.WarehouseAdd: goods.warehouse_add,
    ops.Recruit: war.recruit,
    ops.Attack: war.attack,
    ops.Wound: war.wound,
    ops.MoveSoldiers: war.move_soldiers,
    ops.Save: war.save,
    ops.Kill: war.kill,
    ops.BuildBarricade: war.build_barricade,
    ops.BuildWall: war.build_wall,
    ops.Donate: goods.donate,
    ops.DiscardShame: goods.discard_shame,
    ops.GainShame: goods.gain_shame,
    ops.TeaUp: goods.tea_up,
    ops.Reclaim: goods.reclaim,
    ops.PlaceHordes: war.place_hordes,
    ops.ReturnClerks: people.return_clerks,
    ops.CopyCommand: blocks.copy_command,
    **solo_cards.OPERATIONS,
}


def perform(p: Play[State], step: Perform) -> None:
    """Do an operation, then those after it: GW-18.6, GW-18.12."""
    script = SCRIPTS[step.script]
    if step.at + 1 < len(script):
        p.then(replace(step, at=step.at + 1))
    if step.at < len(script):
        op = script[step.at]
        OPERATIONS[type(op)](p, step, op)
