"""Questions that a game can come to: each step that waits for a seat, judged by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.engine.errors import require, require_different
from domain.games.great_wall import board
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.rules.effects.triggers import ABILITIES
from domain.games.great_wall.rules.goods.tactics import FOR_A_WHILE
from domain.games.great_wall.rules.reachable.amounts import (
    MOST,
    check_bill,
    check_recruit_cost,
    few,
    some,
)
from domain.games.great_wall.rules.reachable.units import check_tally, check_units, units_exist
from domain.games.great_wall.state.bills import NOTHING
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.steps import clerks, effects, soldiers, supply, year
from domain.games.great_wall.state.table import State

Check = Callable[[State, int, Any], None]


def places_known(where: str) -> None:
    """It is a Location, or a word for several: GW-18.3."""
    require(where in board.SELECTED, f"There is no Location {where!r}.")


def among(names: Sequence[str], known: Iterable[str], what: str) -> None:
    """Some of these, all of them different."""
    require(bool(names) and set(names) <= set(known), f"`{what}` names what is there.")
    require_different(names, what)


def seat_known(state: State, seat: int) -> None:
    """It is a seat of the match."""
    require(0 <= seat < state.seats, f"Seats go from 0 to {state.seats - 1}.")


def fighter_known(state: State, clan: int) -> None:
    """It is a seat of the match, or Qin Jiushao: GW-14.9."""
    if clan != state.qin:
        seat_known(state, clan)


def check_context(state: State, context: Context) -> None:
    """Clans and Horde cards that there are: GW-18.11."""
    numbers = (*context.participants, *([] if context.defeater is None else [context.defeater]))
    require(all(0 <= one < len(state.clans) for one in numbers), "`context` names clans.")
    require(set(context.hordes) <= set(state.setup.hordes), "`context` names Horde cards.")
    require(set(context.sections) <= set(state.setup.table.sections), "`context` names Sections.")
    for names in (context.hordes, context.sections, context.types, context.participants):
        require_different(names, "context")
    few(context.clerks, context.killed, context.dying, context.saved, context.shame)
    few(context.recruited, context.last_wounds, context.level)
    few(len(context.resting), len(context.firing))


def check_perform(state: State, step: effects.Perform) -> None:
    """An operation of a card that there is: GW-18.6."""
    fighter_known(state, step.clan)
    seat_known(state, 0 if step.counts is None else step.counts)
    his = step.script.startswith("solo/")
    require(his == (step.clan == state.qin), "Qin Jiushao has cards of his own: GW-14.5.")
    require(step.script in SCRIPTS, f"No card says {step.script!r}.")
    require(0 <= step.at < max(1, len(SCRIPTS[step.script])), "`at` is no operation there.")
    check_context(state, step.context)


def _reclaim(state: State, _at: int, step: year.Reclaim) -> None:
    require(bool(state.clans[step.seats[0]].discard), "Nothing is in the discard: GW-12.4.")


def _reclaim_some(state: State, _at: int, step: year.ReclaimSome) -> None:
    some(step.left)


def _place_command(_state: State, _at: int, _step: year.PlaceCommand) -> None:
    """Who places is judged with the `shown` cards: GW-7.2."""


def _give_advisor(state: State, _at: int, step: year.ChooseSupporter) -> None:
    leaving = state.advisors[: board.ADVISORS_LEAVING]
    fits = state.qin is not None and step.advisors == leaving
    require(fits, "The leftmost advisors leave the track: GW-14.13.")


def _move_clerks(_state: State, _at: int, step: clerks.MoveClerks) -> None:
    some(step.left)  # a card may allow more moves than there are clerks: GW-7.4
    require(len(step.moved) < board.CLERKS, "A clerk moves once: GW-6.2.")


def _move_reed(state: State, _at: int, step: clerks.MoveReedClerks) -> None:
    require(state.reed is not None, "The Reed Clan does not take part.")
    some(step.left, 2)
    require(len(step.moved) + step.left <= 2, "Two of them move: GW-15.5.")


def _send_back(state: State, _at: int, step: clerks.SendBack) -> None:
    places_known(step.where)
    there = sum(state.clans[step.seats[0]].at(one) for one in board.SELECTED[step.where])
    some(step.left, there)


def _order_activations(_state: State, _at: int, step: clerks.OrderActivations) -> None:
    among(step.waiting, board.LOCATIONS, "waiting")


def _advanced(_state: State, _at: int, step: clerks.AdvancedActivation) -> None:
    places_known(step.where)
    some(step.left)


def _upgrade(_state: State, _at: int, step: clerks.Upgrade) -> None:
    among(step.where, board.PRODUCTION, "where")
    some(step.left)
    few(step.less)


def _donate(_state: State, _at: int, step: clerks.Donate) -> None:
    among(step.resources, board.RESOURCES[: board.CHI], "resources")
    some(step.left)


def _take_incomes(state: State, _at: int, step: clerks.TakeIncomes) -> None:
    places_known(step.where)
    some(step.left)
    require_different(step.done, "done")
    for clan, location in step.done:
        fighter_known(state, clan)
        require(location in board.PRODUCTION, "Overseers stand where something is produced.")


def _build(state: State, _at: int, step: clerks.Build) -> None:
    some(step.left)
    few(step.less)
    for names in (step.barricades, step.walls):
        require(set(names) <= set(state.setup.table.sections), "Sections in use are built on.")
        require_different(names, "sections")


def _of_reed(state: State, _at: int, _step: Any) -> None:  # noqa: ANN401  any question about Reed
    require(state.reed is not None, "The Reed Clan does not take part.")


def _hire(_state: State, _at: int, step: clerks.Hire) -> None:
    some(step.left)
    few(step.less)
    check_bill(step.clerk or NOTHING)


def _logistics(state: State, _at: int, step: clerks.Logistics) -> None:
    require(0 <= step.left <= MOST, "Some moves are `left`.")
    if step.route is not None:
        among(step.route, state.setup.table.sections, "route")
    require(step.left > 0 or step.route is not None, "A move is `left`, or going on.")


def _recruit(state: State, _at: int, step: soldiers.Recruit) -> None:
    among(step.types, board.SOLDIERS, "types")
    require(0 <= step.left <= MOST, "Some recruits are `left`.")
    few(step.less)
    check_recruit_cost(step.cost)
    _in_pool(state, step.seats[0], step.named)


def _in_pool(state: State, seat: int, named: Sequence[board.Soldier]) -> None:
    pool = state.clans[seat].pool
    there = all(
        named.count(name) <= count for name, count in zip(board.SOLDIERS, pool, strict=True)
    )
    require(there, "Recruits come from the pool: GW-8.6.")


def _deploy(state: State, _at: int, step: soldiers.Deploy) -> None:
    require(bool(step.left), "Somebody is `left` to be deployed.")
    few(len(step.recruited), len(step.resting), len(step.firing))
    _in_pool(state, step.seats[0], step.left)
    fewer = all(step.left.count(name) <= step.recruited.count(name) for name in board.SOLDIERS)
    require(fewer, "Those who are `left` were `recruited`.")
    check_tally(state, step.tally)
    used = {*step.firing, *(section for section, _ in step.resting), *step.tally.sections}
    require(used <= set(state.setup.table.sections), "They went to Sections in use.")


def _attacking(state: State, _at: int, step: soldiers.Attacking) -> None:
    among(step.types, board.SOLDIERS, "types")
    among(step.origins, ("rest", "firing"), "origins")
    require(step.left is None or 0 <= step.left <= MOST, "Some attacks are `left`.")
    require(0 <= step.sections <= MOST, "Some Sections may still be chosen.")
    used = state.setup.table.sections
    require(set(step.chosen) <= set(used), "They attack in Sections in use.")
    require_different(step.chosen, "chosen")
    for row in (step.made, step.shot):
        fits = len(row) == len(board.SECTIONS) and min(row) >= 0 and max(row) <= MOST
        require(fits, "There is a number of attacks for each Section.")
    made = {name for name, count in zip(board.SECTIONS, step.made, strict=True) if count}
    require(made <= set(step.chosen), "They attack in the Sections that were chosen.")
    posted = zip(step.shot, state.clans[step.seats[0]].firing, strict=True)
    require(all(shot <= there for shot, there in posted), "Who shot stands in a Firing spot.")
    check_tally(state, step.tally)


def _wounding(state: State, _at: int, step: soldiers.Wounding) -> None:
    require(0 <= step.left <= MOST, "Some Wound markers are `left`.")
    among(step.sections, state.setup.table.sections, "sections")
    cards = {*step.cards, *step.filled}
    require(cards <= set(state.setup.hordes), "They go on Horde cards.")
    for names in (step.cards, step.filled):
        require_different(names, "cards")


def _choose_doomed(state: State, at: int, step: soldiers.ChooseDoomed) -> None:
    some(step.left, len(step.units) - 1)
    check_units(state, step.seats[0], step.units)
    below = [one for one in state.agenda[:at] if isinstance(one, soldiers.KillBatch)]
    fits = bool(below) and below[-1].clan == step.seats[0]
    require(fits and units_exist(state, step.seats[0], (*step.units, *below[-1].doomed)), "Whose?")


def _save(state: State, at: int, step: soldiers.Save) -> None:
    if step.left or at == len(state.agenda) - 1:  # none while the last one is being paid
        some(step.left)
    check_bill(step.bill)
    below = [one for one in state.agenda[:at] if isinstance(one, soldiers.Dying)]
    require(bool(below) and below[-1].clan == step.seats[0], "Somebody of theirs is dying.")


def _place_shame(state: State, at: int, step: supply.PlaceShame) -> None:
    below = state.agenda[at - 1]
    fits = isinstance(below, supply.GainShame) and below.seat == step.seats[0]
    fits &= at == len(state.agenda) - 1
    require(fits and state.shame > 0, "They get a token: GW-11.2.")


def _discard_shame(state: State, _at: int, step: supply.DiscardShame) -> None:
    some(step.left, state.clans[step.seats[0]].shame)
    check_bill(step.bill)


def _pay(_state: State, _at: int, step: supply.Pay) -> None:
    named = any(step.bill.fixed) or step.bill.less or step.bill.honor
    require(not (step.warehouse and named), "The Warehouse pays in any mix: GW-8.8.")
    check_bill(step.bill)


def _take(_state: State, _at: int, step: supply.TakeResources) -> None:
    among(step.resources, board.RESOURCES, "resources")
    some(step.left, len(step.resources) if step.different else MOST)


def _lose(state: State, _at: int, step: supply.LoseResources) -> None:
    among(step.resources, board.RESOURCES, "resources")
    some(step.left, sum(state.clans[step.seats[0]].has(one) for one in step.resources))


def _stock(_state: State, _at: int, step: supply.StockWarehouse) -> None:
    among(step.resources, board.RESOURCES[: board.CHI], "resources")
    some(step.left)


def _discard_tactics(state: State, _at: int, step: supply.DiscardTactics) -> None:
    held = len(state.clans[step.seats[0]].tactics)
    require(0 <= step.keep < held, "There are more tactic cards than are kept.")


def check_abilities(state: State, at: int, clan: int, waiting: Sequence[str]) -> None:
    """Abilities of this clan, within a chain: GW-18.4."""
    owned = state.clans[clan]
    known = [
        script for card in (owned.general, *owned.active) for script in ABILITIES.get(card, ())
    ]
    among(waiting, known, "waiting")
    chains = [one for one in state.agenda[:at] if isinstance(one, year.Chain)]
    require(bool(chains) and not chains[-1].apart, "Abilities are used in a chain.")


def _order(state: State, at: int, step: effects.OrderAbilities) -> None:
    check_abilities(state, at, step.seats[0], step.waiting)
    check_context(state, step.context)


def _here(state: State, here: effects.Perform, seat: int, kind: type[ops.Operation]) -> Any:  # noqa: ANN401
    """The operation that a question is about, which is of this kind."""
    check_perform(state, here)
    require(not here.seats and here.clan == seat, "They are asked who do it.")
    script = SCRIPTS[here.script]
    require(bool(script) and isinstance(script[here.at], kind), "It is another operation.")
    return script[here.at]


def _consider(state: State, _at: int, step: effects.Consider) -> None:
    _here(state, step.here, step.seats[0], ops.May)
    some(step.left)


def _options(state: State, _at: int, step: effects.ChooseOption) -> None:
    op = _here(state, step.here, step.seats[0], ops.Choose)
    known = range(len(op.options))
    require_different(step.taken, "taken")
    require(set(step.taken) <= set(known), "`taken` are options of the card.")
    require(len(step.taken) + step.left == op.n and step.left > 0, "So many are chosen in all.")


def _name_players(state: State, _at: int, step: effects.NamePlayers) -> None:
    _here(state, step.here, step.seats[0], ops.ChoosePlayers)
    require(0 <= step.left <= MOST, "Some players are `left`.")
    require_different(step.named, "named")
    for seat in step.named:
        seat_known(state, seat)


def _copy(_state: State, _at: int, _step: effects.CopyCommand) -> None:
    """What can be copied is seen on the track: GW-9.6."""


def check_windows(state: State, windows: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Seats with windows that are open for them: GW-9.4."""
    require_different([seat for seat, _ in windows], "windows")
    for seat, names in windows:
        seat_known(state, seat)
        require_different(names, "windows")


def _react(state: State, at: int, step: effects.React) -> None:
    check_windows(state, step.windows)
    below = state.agenda[at - 1]
    same = isinstance(below, effects.PlayReactions) and below.windows == step.windows
    asked = [seat for seat, _ in step.windows]
    require(same and set(step.seats) <= set(asked), "Their cards are played next: GW-9.4.")
    require(same and sorted(below.left) == sorted(asked), "All are still to be played.")
    for seat, windows in step.windows:
        clan, waits = state.clans[seat], seat in step.seats
        require(bool(clan.tactics), "Only those who hold tactic cards are asked.")
        passed = waits and not {*FOR_A_WHILE, *windows}.isdisjoint(clan.passing)
        require(not passed, "Nobody is asked for what they let pass: GW-9.4.")
        answered = clan.reaction is not None
        require(answered != waits, "Who has answered has a `reaction`.")
    require(step.context == below.context, "It is one moment.")


def _nothing(_state: State, _at: int, _step: Any) -> None:  # noqa: ANN401  any question
    """Judged with the secrets: GW-2.8, GW-7.1."""


QUESTIONS: dict[type, Check] = {
    year.ChooseLeaders: _nothing,
    year.ChooseCommand: _nothing,
    year.PlaceCommand: _place_command,
    year.ChooseSupporter: _give_advisor,
    year.Reclaim: _reclaim,
    year.ReclaimSome: _reclaim_some,
    clerks.MoveClerks: _move_clerks,
    clerks.MoveReedClerks: _move_reed,
    clerks.SendBack: _send_back,
    clerks.OrderActivations: _order_activations,
    clerks.AdvancedActivation: _advanced,
    clerks.Upgrade: _upgrade,
    clerks.Donate: _donate,
    clerks.TakeIncomes: _take_incomes,
    clerks.Build: _build,
    clerks.ReedBarricade: _of_reed,
    clerks.Hire: _hire,
    clerks.ReedAdvisor: _of_reed,
    clerks.Logistics: _logistics,
    soldiers.Recruit: _recruit,
    soldiers.Deploy: _deploy,
    soldiers.Attacking: _attacking,
    soldiers.ReedSpearman: _of_reed,
    soldiers.Wounding: _wounding,
    soldiers.ChooseDoomed: _choose_doomed,
    soldiers.Save: _save,
    supply.PlaceShame: _place_shame,
    supply.DiscardShame: _discard_shame,
    supply.Pay: _pay,
    supply.TakeResources: _take,
    supply.LoseResources: _lose,
    supply.StockWarehouse: _stock,
    supply.DiscardTactics: _discard_tactics,
    effects.OrderAbilities: _order,
    effects.Consider: _consider,
    effects.ChooseOption: _options,
    effects.NamePlayers: _name_players,
    effects.CopyCommand: _copy,
    effects.React: _react,
}
"""By step, what must be so while it waits."""
