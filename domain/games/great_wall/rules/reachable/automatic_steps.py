"""Checks of automatic steps, each step by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from domain.engine.errors import require, require_distinct
from domain.games.great_wall import board
from domain.games.great_wall.cards.abilities import Trigger
from domain.games.great_wall.cards.automata import PLACE_OF
from domain.games.great_wall.rules.effects.triggers import ABILITIES
from domain.games.great_wall.rules.reachable import questions
from domain.games.great_wall.rules.reachable.amounts import MAX_AMOUNT, check_left
from domain.games.great_wall.rules.reachable.plan import question_of
from domain.games.great_wall.rules.reachable.units import check_tally, check_units
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.table import State

TRIGGERS = frozenset(get_args(Trigger))


def _check_clan(state: State, _at: int, step: Any) -> None:  # noqa: ANN401  any step of a clan
    require(0 <= step.clan < len(state.clans), "There is no such clan.")


def _check_seat(state: State, _at: int, step: Any) -> None:  # noqa: ANN401  any step of a seat
    questions.check_seat(state, step.seat)


def _check_section(state: State, step: Any) -> None:  # noqa: ANN401  any step in a Section
    require(step.section in state.setup.table.sections, "That Section is not in use.")


def _accept(_state: State, _at: int, _step: Any) -> None:  # noqa: ANN401  any step
    """Accept any members."""


def _check_place_all(state: State, at: int, _step: steps.PlaceCommands) -> None:
    require(state.agenda[:at] == [steps.TakeTurn(slot=0)], "The first turn must follow: GW-7.2.")


def _check_place_reed(state: State, _at: int, step: steps.PlaceReedCommand) -> None:
    laid = any(one and one.clan == state.reed for one in state.track)
    once = not laid and state.agenda.count(step) == 1
    require(state.reed is not None and once, "The Reed card is placed once: GW-15.5.")
    require(state.agenda[0] == steps.TakeTurn(slot=0), "The first turn must follow: GW-7.2.")


def _check_place_qin(state: State, _at: int, _step: steps.PlaceQinCommand) -> None:
    fits = state.qin is not None and state.clans[state.qin].shown is not None
    require(fits, "Only a shown card of Qin Jiushao can be placed: GW-14.5.")


def _check_part(state: State, at: int, step: steps.CommandPart) -> None:
    _check_clan(state, at, step)
    fits = 0 <= step.slot < len(state.track)
    laid = state.track[step.slot] if fits else None
    played = laid is not None and laid.clan < state.seats
    require(played, "There is no command card on this slot.")
    others = step.part == "others" and laid is not None and laid.clan != step.clan
    require(others, "Only parts for others can wait for each other: GW-7.3.")


def _check_shoot(state: State, at: int, step: steps.Shoot) -> None:
    _check_seat(state, at, step)
    _check_section(state, step)


def _check_qin_shoots(state: State, _at: int, step: steps.QinShoots) -> None:
    require(state.qin is not None, "Qin Jiushao does not play.")
    _check_section(state, step)


def _check_casualties(state: State, _at: int, step: steps.Casualties) -> None:
    require(bool(step.clans), "No clan is left to lose soldiers.")
    require_distinct(step.clans, "clans")
    require(set(step.clans) <= set(state.tea), "There is no such clan.")
    _check_section(state, step)


def _check_snipe(state: State, at: int, step: steps.Snipe) -> None:
    _check_clan(state, at, step)
    _check_section(state, step)
    require(0 <= step.amount <= MAX_AMOUNT, "A clan does not have that many Archers.")


def _check_plunder(state: State, at: int, step: steps.Plunder) -> None:
    _check_seat(state, at, step)
    require(0 <= step.amount <= MAX_AMOUNT, "No Horde card takes that much.")


def _check_fire(state: State, _at: int, step: steps.Fire) -> None:
    require(step.trigger in TRIGGERS, f"There is no trigger {step.trigger!r}.")
    require_distinct(step.clans, "clans")
    for clan in step.clans:
        questions.check_seat(state, clan)
    questions.check_context(state, step.context)


def _check_chain(_state: State, _at: int, step: steps.Chain) -> None:
    known = {script for scripts in ABILITIES.values() for script in scripts}
    require(set(step.used) <= known, "`used` names abilities.")
    require_distinct(step.used, "used")
    require(not (step.apart and step.used), "Each event above it must have its own chain.")


def _check_moment(state: State, _at: int, step: steps.Moment) -> None:
    questions.check_windows(state, step.windows)
    questions.check_context(state, step.context)


def _check_qin_activations(state: State, _at: int, step: clerks.QinActivations) -> None:
    require(state.qin is not None, "Qin Jiushao does not play.")
    check_left(step.left)


def _check_resolve_for(state: State, at: int, step: clerks.ResolveFor) -> None:
    _check_clan(state, at, step)
    fits = step.clan != state.qin or step.location in PLACE_OF.values()
    require(fits, "Qin Jiushao goes only to Locations of his track: GW-14.6.")


def _check_next_activation(_state: State, _at: int, step: clerks.NextActivation) -> None:
    questions.check_names(step.waiting, board.LOCATIONS, "waiting")


def _check_production(state: State, at: int, step: Any) -> None:  # noqa: ANN401  an offer
    _check_seat(state, at, step)
    require(step.location in board.PRODUCTION, "This is not a production Location.")


def _check_payment_above(state: State, at: int) -> None:
    """Check that a payment comes directly before what it buys: GW-18.2."""
    above = map(question_of, state.agenda[at + 1 :])
    require(
        all(isinstance(step, supply.Pay) for step in above),
        "Only its payment can come before it: GW-18.2.",
    )


def _check_upgrade_now(state: State, at: int, step: clerks.UpgradeNow) -> None:
    _check_payment_above(state, at)
    _check_production(state, at, step)
    clan = state.clans[step.seat]
    level = clan.level(step.location)
    require(level < board.OVERSEER_TOP, "This Overseer has the highest level.")
    require((step.soldier is None) == (level > 0), "Only a new Overseer needs a `soldier`.")
    if step.soldier is not None:
        there = clan.pool[board.SOLDIER_NUMBER[step.soldier]]
        require(there > 0, "This soldier is not in the pool.")


def _check_build_now(state: State, at: int, step: clerks.BuildNow) -> None:
    _check_payment_above(state, at)
    _check_seat(state, at, step)
    _check_section(state, step)
    built = state.wall(step.section) if step.wall else state.barricades_in(step.section)
    most = board.TOP_LEVEL if step.wall else board.BARRICADES
    require(built < most, "There is no free slot for it.")


def _check_hire_now(state: State, at: int, step: clerks.HireNow) -> None:
    _check_payment_above(state, at)
    _check_seat(state, at, step)
    there = state.clans[step.seat].clerks_space > 0
    fits = there if step.advisor is None else step.advisor in state.advisors
    require(fits, "This clerk or advisor cannot be hired.")


def _check_attack_over(state: State, at: int, step: soldiers.AttackOver) -> None:
    _check_seat(state, at, step)
    check_tally(state, step.tally)


def _check_horde_card(state: State, step: Any) -> None:  # noqa: ANN401  a step about a Horde card
    place = state.find_horde(step.card)
    require(place is not None and place.horde.full, "Only a full Horde card can be defeated.")
    kinds = (soldiers.Defeat, soldiers.Defeated, soldiers.TakeAway)
    cards = [one.card for one in state.agenda if isinstance(one, kinds)]
    require_distinct(cards, "defeated")


def _check_defeat(state: State, _at: int, step: soldiers.Defeat) -> None:
    _check_horde_card(state, step)


def _check_defeated_card(
    state: State, _at: int, step: soldiers.Defeated | soldiers.TakeAway
) -> None:
    _check_horde_card(state, step)
    fits = step.defeater is None or 0 <= step.defeater < len(state.clans)
    require(fits, "There is no such clan.")


def _check_slay(state: State, at: int, step: soldiers.Slay) -> None:
    _check_clan(state, at, step)
    below = {one.card for one in state.agenda[:at] if isinstance(one, soldiers.TakeAway)}
    require(step.card in below, "Soldiers die only on a defeated Horde card.")


def _check_batch(state: State, at: int, step: soldiers.KillBatch) -> None:
    _check_clan(state, at, step)
    check_units(state, step.clan, step.doomed)


def _check_dying(state: State, at: int, step: soldiers.Dying) -> None:
    _check_clan(state, at, step)
    check_units(state, step.clan, (*step.doomed, *step.saved))
    batches = [one for one in state.agenda if isinstance(one, soldiers.Dying)]
    require(
        [one.clan for one in batches].count(step.clan) == 1, "All of them must die in one batch."
    )


def _check_gain_shame(state: State, at: int, step: supply.GainShame) -> None:
    _check_seat(state, at, step)
    fits = min(step.left, step.got) >= 0 and step.left + step.got <= MAX_AMOUNT
    require(fits, "There are not that many Shame tokens.")
    placing = isinstance(state.agenda[-1], supply.PlaceShame) and at == len(state.agenda) - 2
    most = state.clans[step.seat].shame + 1 if placing else 0
    more = state.coop and placing  # returned tokens: GW-16.6
    require(step.got <= most or more, "The clan did not get that many Shame tokens: GW-11.2.")


def _check_perform(state: State, _at: int, step: effects.Perform) -> None:
    questions.check_perform(state, step)


def _check_use_abilities(state: State, at: int, step: effects.UseAbilities) -> None:
    questions.check_seat(state, step.clan)
    questions.check_abilities(state, at, step.clan, step.waiting)
    questions.check_context(state, step.context)


def _check_play_reactions(state: State, _at: int, step: effects.PlayReactions) -> None:
    questions.check_windows(state, step.windows)
    questions.check_context(state, step.context)
    require_distinct(step.left, "left")
    asked: Sequence[int] = [seat for seat, _ in step.windows]
    require(set(step.left) <= set(asked), "Only seats that were asked can play cards.")


AUTOMATIC_STEP_CHECKS: dict[type, questions.Check] = {
    steps.PlaceCommands: _check_place_all,
    steps.PlaceReedCommand: _check_place_reed,
    steps.PlaceQinCommand: _check_place_qin,
    steps.CommandPart: _check_part,
    steps.Shoot: _check_shoot,
    steps.QinShoots: _check_qin_shoots,
    steps.Casualties: _check_casualties,
    steps.Snipe: _check_snipe,
    steps.Plunder: _check_plunder,
    steps.Fire: _check_fire,
    steps.Chain: _check_chain,
    steps.Moment: _check_moment,
    clerks.NextActivation: _check_next_activation,
    clerks.ResolveLocation: _accept,
    clerks.ResolveFor: _check_resolve_for,
    clerks.QinActivations: _check_qin_activations,
    clerks.OfferUpgrade: _check_production,
    clerks.OfferDonation: _check_production,
    clerks.DrinkTea: _check_clan,
    clerks.ReturnClerks: _accept,
    clerks.UpgradeNow: _check_upgrade_now,
    clerks.BuildNow: _check_build_now,
    clerks.HireNow: _check_hire_now,
    soldiers.AttackOver: _check_attack_over,
    soldiers.Defeat: _check_defeat,
    soldiers.Defeated: _check_defeated_card,
    soldiers.Slay: _check_slay,
    soldiers.TakeAway: _check_defeated_card,
    soldiers.KillBatch: _check_batch,
    soldiers.Dying: _check_dying,
    supply.GainShame: _check_gain_shame,
    effects.Perform: _check_perform,
    effects.UseAbilities: _check_use_abilities,
    effects.PlayReactions: _check_play_reactions,
    effects.SpendTactic: _accept,
}
"""By kind of step, the check while it is on the agenda."""
