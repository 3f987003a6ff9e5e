"""Steps that need nobody and that a game can come to, judged by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from domain.engine.errors import require, require_different
from domain.games.great_wall import board
from domain.games.great_wall.cards.abilities import Trigger
from domain.games.great_wall.cards.automata import PLACE_OF
from domain.games.great_wall.rules.effects.triggers import ABILITIES
from domain.games.great_wall.rules.reachable.amounts import MOST, some
from domain.games.great_wall.rules.reachable.plan import question
from domain.games.great_wall.rules.reachable.questions import (
    Check,
    among,
    check_abilities,
    check_context,
    check_perform,
    check_windows,
    seat_known,
)
from domain.games.great_wall.rules.reachable.units import check_tally, check_units
from domain.games.great_wall.state.steps import clerks, effects, soldiers, supply, year
from domain.games.great_wall.state.table import State

TRIGGERS = frozenset(get_args(Trigger))


def _clan(state: State, _at: int, step: Any) -> None:  # noqa: ANN401  any step of a clan
    require(0 <= step.clan < len(state.clans), "There is no such clan.")


def _seat(state: State, _at: int, step: Any) -> None:  # noqa: ANN401  any step of a seat
    seat_known(state, step.seat)


def _section(state: State, step: Any) -> None:  # noqa: ANN401  any step in a Section
    require(step.section in state.setup.table.sections, "That Section is not in use.")


def _anything(_state: State, _at: int, _step: Any) -> None:  # noqa: ANN401  any step
    """Nothing that it says can be wrong."""


def _place_all(state: State, at: int, _step: year.PlaceCommands) -> None:
    require(state.agenda[:at] == [year.TakeTurn(slot=0)], "Then the turns begin: GW-7.2.")


def _place_reed(state: State, _at: int, step: year.PlaceReedCommand) -> None:
    laid = any(one and one.clan == state.reed for one in state.track)
    once = not laid and state.agenda.count(step) == 1
    require(state.reed is not None and once, "The Reed card is placed once: GW-15.5.")
    require(state.agenda[0] == year.TakeTurn(slot=0), "Then the turns begin: GW-7.2.")


def _place_qin(state: State, _at: int, _step: year.PlaceQinCommand) -> None:
    fits = state.qin is not None and state.clans[state.qin].shown is not None
    require(fits, "The card of Qin Jiushao is placed once it is shown: GW-14.5.")


def _part(state: State, at: int, step: year.CommandPart) -> None:
    _clan(state, at, step)
    fits = 0 <= step.slot < len(state.track)
    laid = state.track[step.slot] if fits else None
    played = laid is not None and laid.clan < state.seats
    require(played, "No command card lies there.")
    others = step.part == "others" and laid is not None and laid.clan != step.clan
    require(others, "Only others' parts wait for each other: GW-7.3.")


def _shoot(state: State, at: int, step: year.Shoot) -> None:
    _seat(state, at, step)
    _section(state, step)


def _qin_shoots(state: State, _at: int, step: year.QinShoots) -> None:
    require(state.qin is not None, "Qin Jiushao does not play.")
    _section(state, step)


def _casualties(state: State, _at: int, step: year.Casualties) -> None:
    require(bool(step.clans), "Nobody is left to lose soldiers.")
    require_different(step.clans, "clans")
    require(set(step.clans) <= set(state.tea), "There is no such clan.")
    _section(state, step)


def _snipe(state: State, at: int, step: year.Snipe) -> None:
    _clan(state, at, step)
    _section(state, step)
    require(0 <= step.amount <= MOST, "So many Archers there are not.")


def _plunder(state: State, at: int, step: year.Plunder) -> None:
    _seat(state, at, step)
    require(0 <= step.amount <= MOST, "So much is never lost.")


def _fire(state: State, _at: int, step: year.Fire) -> None:
    require(step.trigger in TRIGGERS, f"Nothing answers {step.trigger!r}.")
    require_different(step.clans, "clans")
    for clan in step.clans:
        seat_known(state, clan)
    check_context(state, step.context)


def _chain(_state: State, _at: int, step: year.Chain) -> None:
    known = {script for scripts in ABILITIES.values() for script in scripts}
    require(set(step.used) <= known, "`used` names abilities.")
    require_different(step.used, "used")
    require(not (step.apart and step.used), "Above it each event has a chain of its own.")


def _moment(state: State, _at: int, step: year.Moment) -> None:
    check_windows(state, step.windows)
    check_context(state, step.context)


def _qin_activations(state: State, _at: int, step: clerks.QinActivations) -> None:
    require(state.qin is not None, "Qin Jiushao does not play.")
    some(step.left)


def _resolve_for(state: State, at: int, step: clerks.ResolveFor) -> None:
    _clan(state, at, step)
    fits = step.clan != state.qin or step.location in PLACE_OF.values()
    require(fits, "Qin Jiushao goes to the Locations of his track: GW-14.6.")


def _next_activation(_state: State, _at: int, step: clerks.NextActivation) -> None:
    among(step.waiting, board.LOCATIONS, "waiting")


def _produced(state: State, at: int, step: Any) -> None:  # noqa: ANN401  an offer of production
    _seat(state, at, step)
    require(step.location in board.PRODUCTION, "Nothing is produced there.")


def _being_paid(state: State, at: int) -> None:
    """Nothing comes between what is bought and its payment: GW-18.2."""
    above = map(question, state.agenda[at + 1 :])
    require(all(isinstance(step, supply.Pay) for step in above), "It is being paid: GW-18.2.")


def _upgrade_now(state: State, at: int, step: clerks.UpgradeNow) -> None:
    _being_paid(state, at)
    _produced(state, at, step)
    clan = state.clans[step.seat]
    level = clan.level(step.location)
    require(level < board.OVERSEER_TOP, "That Overseer has the highest level.")
    require((step.soldier is None) == (level > 0), "A soldier becomes the first Overseer.")
    if step.soldier is not None:
        there = clan.pool[board.SOLDIER_NUMBER[step.soldier]]
        require(there > 0, "That soldier is not in the pool.")


def _build_now(state: State, at: int, step: clerks.BuildNow) -> None:
    _being_paid(state, at)
    _seat(state, at, step)
    _section(state, step)
    built = state.wall(step.section) if step.wall else state.barricades_in(step.section)
    most = board.TOP_LEVEL if step.wall else board.BARRICADES
    require(built < most, "There is no room for it.")


def _hire_now(state: State, at: int, step: clerks.HireNow) -> None:
    _being_paid(state, at)
    _seat(state, at, step)
    there = state.clans[step.seat].clerks_space > 0
    fits = there if step.advisor is None else step.advisor in state.advisors
    require(fits, "Nobody like that can be hired.")


def _attack_over(state: State, at: int, step: soldiers.AttackOver) -> None:
    _seat(state, at, step)
    check_tally(state, step.tally)


def _card(state: State, step: Any) -> None:  # noqa: ANN401  a step about a Horde card
    place = state.place_of(step.card)
    require(place is not None and place.horde.full, "Only a full Horde card is defeated.")
    kinds = (soldiers.Defeat, soldiers.Defeated, soldiers.TakeAway)
    cards = [one.card for one in state.agenda if isinstance(one, kinds)]
    require_different(cards, "defeated")


def _defeat(state: State, _at: int, step: soldiers.Defeat) -> None:
    _card(state, step)


def _defeated(state: State, _at: int, step: soldiers.Defeated | soldiers.TakeAway) -> None:
    _card(state, step)
    fits = step.defeater is None or 0 <= step.defeater < len(state.clans)
    require(fits, "There is no such clan.")


def _slay(state: State, at: int, step: soldiers.Slay) -> None:
    _clan(state, at, step)
    below = {one.card for one in state.agenda[:at] if isinstance(one, soldiers.TakeAway)}
    require(step.card in below, "Nobody dies on a Horde card that is not defeated.")


def _batch(state: State, at: int, step: soldiers.KillBatch) -> None:
    _clan(state, at, step)
    check_units(state, step.clan, step.doomed)


def _dying(state: State, at: int, step: soldiers.Dying) -> None:
    _clan(state, at, step)
    check_units(state, step.clan, (*step.doomed, *step.saved))
    batches = [one for one in state.agenda if isinstance(one, soldiers.Dying)]
    require([one.clan for one in batches].count(step.clan) == 1, "They die in one batch.")


def _gain_shame(state: State, at: int, step: supply.GainShame) -> None:
    _seat(state, at, step)
    fits = min(step.left, step.got) >= 0 and step.left + step.got <= MOST
    require(fits, "So many Shame tokens there are not.")
    placing = isinstance(state.agenda[-1], supply.PlaceShame) and at == len(state.agenda) - 2
    most = state.clans[step.seat].shame + 1 if placing else 0
    more = state.coop and placing  # some came back: GW-16.6
    require(step.got <= most or more, "So many Shame tokens they have not got: GW-11.2.")


def _perform(state: State, _at: int, step: effects.Perform) -> None:
    check_perform(state, step)


def _use(state: State, at: int, step: effects.UseAbilities) -> None:
    seat_known(state, step.clan)
    check_abilities(state, at, step.clan, step.waiting)
    check_context(state, step.context)


def _play(state: State, _at: int, step: effects.PlayReactions) -> None:
    check_windows(state, step.windows)
    check_context(state, step.context)
    require_different(step.left, "left")
    asked: Sequence[int] = [seat for seat, _ in step.windows]
    require(set(step.left) <= set(asked), "Only those who were asked play cards.")


CHORES: dict[type, Check] = {
    year.PlaceCommands: _place_all,
    year.PlaceReedCommand: _place_reed,
    year.PlaceQinCommand: _place_qin,
    year.CommandPart: _part,
    year.Shoot: _shoot,
    year.QinShoots: _qin_shoots,
    year.Casualties: _casualties,
    year.Snipe: _snipe,
    year.Plunder: _plunder,
    year.Fire: _fire,
    year.Chain: _chain,
    year.Moment: _moment,
    clerks.NextActivation: _next_activation,
    clerks.ResolveLocation: _anything,
    clerks.ResolveFor: _resolve_for,
    clerks.QinActivations: _qin_activations,
    clerks.OfferUpgrade: _produced,
    clerks.OfferDonation: _produced,
    clerks.DrinkTea: _clan,
    clerks.ReturnClerks: _anything,
    clerks.UpgradeNow: _upgrade_now,
    clerks.BuildNow: _build_now,
    clerks.HireNow: _hire_now,
    soldiers.AttackOver: _attack_over,
    soldiers.Defeat: _defeat,
    soldiers.Defeated: _defeated,
    soldiers.Slay: _slay,
    soldiers.TakeAway: _defeated,
    soldiers.KillBatch: _batch,
    soldiers.Dying: _dying,
    supply.GainShame: _gain_shame,
    effects.Perform: _perform,
    effects.UseAbilities: _use,
    effects.PlayReactions: _play,
    effects.SpendTactic: _anything,
}
"""By step, what must be so as long as it is on the agenda."""
