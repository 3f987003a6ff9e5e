"""Checks of questions: each step that waits for a seat, by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.engine.errors import require, require_distinct
from domain.games.great_wall import board
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.rules.effects.triggers import ABILITIES
from domain.games.great_wall.rules.goods.tactics import FOR_A_WHILE
from domain.games.great_wall.rules.reachable import amounts
from domain.games.great_wall.rules.reachable.units import check_tally, check_units, units_exist
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.bills import NOTHING
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State

Check = Callable[[State, int, Any], None]


def check_places(where: str) -> None:
    """Check that this is a Location, or a word for several: GW-18.3."""
    require(where in board.LOCATIONS_BY_WORD, f"There is no Location {where!r}.")


def check_names(names: Sequence[str], known: Iterable[str], what: str) -> None:
    """Check that there are names, all known and all different."""
    require(bool(names) and set(names) <= set(known), f"`{what}` must name known things.")
    require_distinct(names, what)


def check_seat(state: State, seat: int) -> None:
    """Check that this is a seat of the match."""
    require(0 <= seat < state.seats, f"Seats go from 0 to {state.seats - 1}.")


def check_fighter(state: State, clan: int) -> None:
    """Check that this is a seat of the match, or Qin Jiushao: GW-14.9."""
    if clan != state.qin:
        check_seat(state, clan)


def check_context(state: State, context: Context) -> None:
    """Check that the clans and Horde cards of an event exist: GW-18.11."""
    numbers = (*context.participants, *([] if context.defeater is None else [context.defeater]))
    require(all(0 <= one < len(state.clans) for one in numbers), "`context` names clans.")
    require(set(context.hordes) <= set(state.setup.hordes), "`context` names Horde cards.")
    require(set(context.sections) <= set(state.setup.table.sections), "`context` names Sections.")
    for names in (context.hordes, context.sections, context.types, context.participants):
        require_distinct(names, "context")
    amounts.check_amounts(
        context.clerks, context.killed, context.dying, context.saved, context.shame
    )
    amounts.check_amounts(context.recruited, context.last_wounds, context.level)
    amounts.check_amounts(len(context.resting), len(context.firing))


def check_perform(state: State, step: effects.Perform) -> None:
    """Check that the operation exists on a card: GW-18.6."""
    check_fighter(state, step.clan)
    check_seat(state, 0 if step.counts is None else step.counts)
    his = step.script.startswith("solo/")
    require(his == (step.clan == state.qin), "Only Qin Jiushao uses his cards: GW-14.5.")
    require(step.script in SCRIPTS, f"No card has the script {step.script!r}.")
    require(0 <= step.at < max(1, len(SCRIPTS[step.script])), "`at` is not an operation in it.")
    check_context(state, step.context)


def _check_reclaim(state: State, _at: int, step: steps.Reclaim) -> None:
    require(bool(state.clans[step.seats[0]].discard), "The discard is empty: GW-12.4.")


def _check_reclaim_some(state: State, _at: int, step: steps.ReclaimSome) -> None:
    amounts.check_left(step.left)


def _check_give_advisor(state: State, _at: int, step: steps.ChooseSupporter) -> None:
    leaving = state.advisors[: board.ADVISORS_LEAVING]
    fits = state.qin is not None and step.advisors == leaving
    require(fits, "The leftmost advisors leave the track: GW-14.13.")


def _check_move_clerks(_state: State, _at: int, step: clerks.MoveClerks) -> None:
    amounts.check_left(step.left)  # a card may allow more moves than there are clerks: GW-7.4
    require(len(step.moved) < board.CLERKS, "A clerk moves once: GW-6.2.")


def _check_move_reed(state: State, _at: int, step: clerks.MoveReedClerks) -> None:
    require(state.reed is not None, "The Reed Clan does not take part.")
    amounts.check_left(step.left, 2)
    require(len(step.moved) + step.left <= 2, "At most two clerks move: GW-15.5.")


def _check_send_back(state: State, _at: int, step: clerks.SendBack) -> None:
    check_places(step.where)
    there = sum(state.clans[step.seats[0]].at(one) for one in board.LOCATIONS_BY_WORD[step.where])
    amounts.check_left(step.left, there)


def _check_order_activations(_state: State, _at: int, step: clerks.OrderActivations) -> None:
    check_names(step.waiting, board.LOCATIONS, "waiting")


def _check_advanced_activation(_state: State, _at: int, step: clerks.AdvancedActivation) -> None:
    check_places(step.where)
    amounts.check_left(step.left)


def _check_upgrade(_state: State, _at: int, step: clerks.Upgrade) -> None:
    check_names(step.where, board.PRODUCTION, "where")
    amounts.check_left(step.left)
    amounts.check_amounts(step.less)


def _check_donate(_state: State, _at: int, step: clerks.Donate) -> None:
    check_names(step.resources, board.RESOURCES[: board.CHI], "resources")
    amounts.check_left(step.left)


def _check_take_incomes(state: State, _at: int, step: clerks.TakeIncomes) -> None:
    check_places(step.where)
    amounts.check_left(step.left)
    require_distinct(step.done, "done")
    for clan, location in step.done:
        check_fighter(state, clan)
        require(location in board.PRODUCTION, "Overseers stand only in production Locations.")


def _check_build(state: State, _at: int, step: clerks.Build) -> None:
    amounts.check_left(step.left)
    amounts.check_amounts(step.less)
    for names in (step.barricades, step.walls):
        require(set(names) <= set(state.setup.table.sections), "Builders need Sections in use.")
        require_distinct(names, "sections")


def _check_reed(state: State, _at: int, _step: Any) -> None:  # noqa: ANN401  any question about Reed
    require(state.reed is not None, "The Reed Clan does not take part.")


def _check_hire(_state: State, _at: int, step: clerks.Hire) -> None:
    amounts.check_left(step.left)
    amounts.check_amounts(step.less)
    amounts.check_bill(step.clerk or NOTHING)


def _check_logistics(state: State, _at: int, step: clerks.Logistics) -> None:
    require(0 <= step.left <= amounts.MAX_AMOUNT, "`left` moves are out of range.")
    if step.route is not None:
        check_names(step.route, state.setup.table.sections, "route")
    require(step.left > 0 or step.route is not None, "A move must be `left` or in progress.")


def _check_recruit(state: State, _at: int, step: soldiers.Recruit) -> None:
    check_names(step.types, board.SOLDIERS, "types")
    require(0 <= step.left <= amounts.MAX_AMOUNT, "`left` recruits are out of range.")
    amounts.check_amounts(step.less)
    amounts.check_recruit_cost(step.cost)
    _check_in_pool(state, step.seats[0], step.named)


def _check_in_pool(state: State, seat: int, named: Sequence[board.Soldier]) -> None:
    pool = state.clans[seat].pool
    there = all(
        named.count(name) <= count for name, count in zip(board.SOLDIERS, pool, strict=True)
    )
    require(there, "Recruits come from the pool: GW-8.6.")


def _check_deploy(state: State, _at: int, step: soldiers.Deploy) -> None:
    require(bool(step.left), "Some recruits must be `left` to deploy.")
    amounts.check_amounts(len(step.recruited), len(step.resting), len(step.firing))
    _check_in_pool(state, step.seats[0], step.left)
    fewer = all(step.left.count(name) <= step.recruited.count(name) for name in board.SOLDIERS)
    require(fewer, "`left` must be among `recruited`.")
    check_tally(state, step.tally)
    used = {*step.firing, *(section for section, _ in step.resting), *step.tally.sections}
    require(used <= set(state.setup.table.sections), "Recruits go only to Sections in use.")


def _check_attacking(state: State, _at: int, step: soldiers.Attacking) -> None:
    check_names(step.types, board.SOLDIERS, "types")
    check_names(step.origins, ("rest", "firing"), "origins")
    require(
        step.left is None or 0 <= step.left <= amounts.MAX_AMOUNT,
        "`left` attacks are out of range.",
    )
    require(0 <= step.sections <= amounts.MAX_AMOUNT, "`sections` is out of range.")
    used = state.setup.table.sections
    require(set(step.chosen) <= set(used), "Soldiers attack only in Sections in use.")
    require_distinct(step.chosen, "chosen")
    for row in (step.made, step.shot):
        fits = len(row) == len(board.SECTIONS) and min(row) >= 0 and max(row) <= amounts.MAX_AMOUNT
        require(fits, "Attacks must have a valid number for each Section.")
    made = {name for name, count in zip(board.SECTIONS, step.made, strict=True) if count}
    require(made <= set(step.chosen), "Soldiers attack only in the `chosen` Sections.")
    posted = zip(step.shot, state.clans[step.seats[0]].firing, strict=True)
    require(all(shot <= there for shot, there in posted), "Only Archers in Firing spots shot.")
    check_tally(state, step.tally)


def _check_wounding(state: State, _at: int, step: soldiers.Wounding) -> None:
    require(0 <= step.left <= amounts.MAX_AMOUNT, "`left` Wound markers are out of range.")
    check_names(step.sections, state.setup.table.sections, "sections")
    cards = {*step.cards, *step.filled}
    require(cards <= set(state.setup.hordes), "Wound markers go only on Horde cards.")
    for names in (step.cards, step.filled):
        require_distinct(names, "cards")


def _check_choose_doomed(state: State, at: int, step: soldiers.ChooseDoomed) -> None:
    amounts.check_left(step.left, len(step.units) - 1)
    check_units(state, step.seats[0], step.units)
    below = [one for one in state.agenda[:at] if isinstance(one, soldiers.KillBatch)]
    fits = bool(below) and below[-1].clan == step.seats[0]
    require(
        fits and units_exist(state, step.seats[0], (*step.units, *below[-1].doomed)),
        "All of them must be doomed soldiers of this clan.",
    )


def _check_save(state: State, at: int, step: soldiers.Save) -> None:
    if step.left or at == len(state.agenda) - 1:  # none during the last payment
        amounts.check_left(step.left)
    amounts.check_bill(step.bill)
    below = [one for one in state.agenda[:at] if isinstance(one, soldiers.Dying)]
    require(bool(below) and below[-1].clan == step.seats[0], "Its soldiers must be dying.")


def _check_place_shame(state: State, at: int, step: supply.PlaceShame) -> None:
    below = state.agenda[at - 1]
    fits = isinstance(below, supply.GainShame) and below.seat == step.seats[0]
    fits &= at == len(state.agenda) - 1
    require(fits and state.shame > 0, "The seat must be getting a token: GW-11.2.")


def _check_discard_shame(state: State, _at: int, step: supply.DiscardShame) -> None:
    amounts.check_left(step.left, state.clans[step.seats[0]].shame)
    amounts.check_bill(step.bill)


def _check_pay(_state: State, _at: int, step: supply.Pay) -> None:
    named = any(step.bill.fixed) or step.bill.less or step.bill.honor
    require(not (step.warehouse and named), "The Warehouse pays only in any mix: GW-8.8.")
    amounts.check_bill(step.bill)


def _check_take(_state: State, _at: int, step: supply.TakeResources) -> None:
    check_names(step.resources, board.RESOURCES, "resources")
    amounts.check_left(step.left, len(step.resources) if step.different else amounts.MAX_AMOUNT)


def _check_lose(state: State, _at: int, step: supply.LoseResources) -> None:
    check_names(step.resources, board.RESOURCES, "resources")
    amounts.check_left(
        step.left, sum(state.clans[step.seats[0]].has(one) for one in step.resources)
    )


def _check_stock(_state: State, _at: int, step: supply.StockWarehouse) -> None:
    check_names(step.resources, board.RESOURCES[: board.CHI], "resources")
    amounts.check_left(step.left)


def _check_discard_tactics(state: State, _at: int, step: supply.DiscardTactics) -> None:
    held = len(state.clans[step.seats[0]].tactics)
    require(0 <= step.keep < held, "`keep` must be less than the cards in hand.")


def check_abilities(state: State, at: int, clan: int, waiting: Sequence[str]) -> None:
    """Check that abilities belong to this clan and to a chain: GW-18.4."""
    owned = state.clans[clan]
    known = [
        script for card in (owned.general, *owned.active) for script in ABILITIES.get(card, ())
    ]
    check_names(waiting, known, "waiting")
    chains = [one for one in state.agenda[:at] if isinstance(one, steps.Chain)]
    require(bool(chains) and not chains[-1].apart, "Abilities can be used only in a chain.")


def _check_order(state: State, at: int, step: effects.OrderAbilities) -> None:
    check_abilities(state, at, step.seats[0], step.waiting)
    check_context(state, step.context)


def _here(state: State, here: effects.Perform, seat: int, kind: type[ops.Operation]) -> Any:  # noqa: ANN401
    """The operation that a question is about. Raises BadPosition unless it is of this kind."""
    check_perform(state, here)
    require(not here.seats and here.clan == seat, "Only the clan that does it can be asked.")
    script = SCRIPTS[here.script]
    require(bool(script) and isinstance(script[here.at], kind), "The operation is of another kind.")
    return script[here.at]


def _check_consider(state: State, _at: int, step: effects.Consider) -> None:
    _here(state, step.here, step.seats[0], ops.May)
    amounts.check_left(step.left)


def _check_options(state: State, _at: int, step: effects.ChooseOption) -> None:
    op = _here(state, step.here, step.seats[0], ops.Choose)
    known = range(len(op.options))
    require_distinct(step.taken, "taken")
    require(set(step.taken) <= set(known), "`taken` are options of the card.")
    require(
        len(step.taken) + step.left == op.n and step.left > 0,
        "`taken` and `left` must add up to the choices of the card.",
    )


def _check_name_players(state: State, _at: int, step: effects.NamePlayers) -> None:
    _here(state, step.here, step.seats[0], ops.ChoosePlayers)
    require(0 <= step.left <= amounts.MAX_AMOUNT, "`left` players are out of range.")
    require_distinct(step.named, "named")
    for seat in step.named:
        check_seat(state, seat)


def check_windows(state: State, windows: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Check that the windows are open for their seats: GW-9.4."""
    require_distinct([seat for seat, _ in windows], "windows")
    for seat, names in windows:
        check_seat(state, seat)
        require_distinct(names, "windows")


def _check_react(state: State, at: int, step: effects.React) -> None:
    check_windows(state, step.windows)
    below = state.agenda[at - 1]
    same = isinstance(below, effects.PlayReactions) and below.windows == step.windows
    asked = [seat for seat, _ in step.windows]
    require(same and set(step.seats) <= set(asked), "Their cards must be played next: GW-9.4.")
    require(same and sorted(below.left) == sorted(asked), "All cards must still be unplayed.")
    for seat, windows in step.windows:
        clan, waits = state.clans[seat], seat in step.seats
        require(bool(clan.tactics), "Only seats with tactic cards are asked.")
        passed = waits and not {*FOR_A_WHILE, *windows}.isdisjoint(clan.passing)
        require(not passed, "No seat is asked for a window it lets pass: GW-9.4.")
        answered = clan.reaction is not None
        require(answered != waits, "Exactly the seats that have answered have a `reaction`.")
    require(step.context == below.context, "Both steps must have the same `context`.")


def _accept(_state: State, _at: int, _step: Any) -> None:  # noqa: ANN401  any question
    """Accept it; secrets, `shown` cards and the track are checked: GW-2.8, GW-7.1, GW-9.6."""


QUESTION_CHECKS: dict[type, Check] = {
    steps.ChooseLeaders: _accept,
    steps.ChooseCommand: _accept,
    steps.PlaceCommand: _accept,
    steps.ChooseSupporter: _check_give_advisor,
    steps.Reclaim: _check_reclaim,
    steps.ReclaimSome: _check_reclaim_some,
    clerks.MoveClerks: _check_move_clerks,
    clerks.MoveReedClerks: _check_move_reed,
    clerks.SendBack: _check_send_back,
    clerks.OrderActivations: _check_order_activations,
    clerks.AdvancedActivation: _check_advanced_activation,
    clerks.Upgrade: _check_upgrade,
    clerks.Donate: _check_donate,
    clerks.TakeIncomes: _check_take_incomes,
    clerks.Build: _check_build,
    clerks.ReedBarricade: _check_reed,
    clerks.Hire: _check_hire,
    clerks.ReedAdvisor: _check_reed,
    clerks.Logistics: _check_logistics,
    soldiers.Recruit: _check_recruit,
    soldiers.Deploy: _check_deploy,
    soldiers.Attacking: _check_attacking,
    soldiers.ReedSpearman: _check_reed,
    soldiers.Wounding: _check_wounding,
    soldiers.ChooseDoomed: _check_choose_doomed,
    soldiers.Save: _check_save,
    supply.PlaceShame: _check_place_shame,
    supply.DiscardShame: _check_discard_shame,
    supply.Pay: _check_pay,
    supply.TakeResources: _check_take,
    supply.LoseResources: _check_lose,
    supply.StockWarehouse: _check_stock,
    supply.DiscardTactics: _check_discard_tactics,
    effects.OrderAbilities: _check_order,
    effects.Consider: _check_consider,
    effects.ChooseOption: _check_options,
    effects.NamePlayers: _check_name_players,
    effects.CopyCommand: _accept,
    effects.React: _check_react,
}
"""By kind of step, the check while it waits."""
