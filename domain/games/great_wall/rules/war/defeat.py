"""The Horde Defeat check: who is credited, who dies, who claims: GW-10.10, GW-10.11."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.events import hordes
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import supply
from domain.games.great_wall.rules.war import kills
from domain.games.great_wall.rules.war.fighting import units_on
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.steps import soldiers, year
from domain.games.great_wall.state.table import Place, State


def check(p: Play[State], _step: soldiers.DefeatCheck) -> None:
    """Take the Horde cards that are full now, one by one: GW-10.11."""
    full = [horde.card for cards in p.state.hordes for horde in cards if horde.full]
    p.then(*(soldiers.Defeat(card=card) for card in full))


def lethality(state: State, place: Place) -> int:
    """How many soldiers of each player a Horde card kills: GW-4.2."""
    abilities = [decks.HORDES[horde.card].ability for horde in state.horde_cards(place.section)]
    own = decks.HORDES[place.horde.card].ability
    total = state.setup.slots[state.slot].lethality + modifiers.lethality_more(state)
    total += sum(found.amount for found in abilities if found.kind == "lethality_section")
    return max(0, total + (own.amount if own.kind == "lethality_self" else 0))


def defeater(state: State, place: Place) -> int | None:
    """Who covers most Vital spots, of equals the higher in Tea order, if anybody: GW-10.11."""
    most = max(state.tea, key=place.horde.covered)  # the first of those who cover as many
    return most if place.horde.covered(most) else None


def begin(p: Play[State], step: soldiers.Defeat) -> None:
    """Let tactic cards be played, then go on with the defeat: GW-9.4, GW-10.11."""
    place = p.state.place_of(step.card)
    assert place is not None
    winner = defeater(p.state, place)
    windows = tuple((seat, _windows(seat == winner)) for seat in p.state.players)
    p.then(
        year.Moment(windows=windows, context=_context(place, winner)),
        soldiers.Defeated(card=step.card, defeater=winner),
    )


def _windows(winner: bool) -> tuple[Window, ...]:
    """What tactic cards a player may play now: GW-9.4."""
    return ("horde_defeated", "you_defeat_horde") if winner else ("horde_defeated",)


def _context(place: Place, winner: int | None) -> Context:
    return Context(
        sections=(place.section,),
        hordes=(place.horde.card,),
        defeater=winner,
        participants=tuple(dict.fromkeys(one.clan for one in place.horde.standing())),
    )


def credit(p: Play[State], step: soldiers.Defeated) -> None:
    """Give honor for soldiers and Archers, let abilities answer, then kill and claim: GW-10.11."""
    place = p.state.place_of(step.card)
    assert place is not None
    context = _context(place, step.defeater)
    honored = _credits(p.state, place, context.participants)
    p.emit(hordes.HordeDefeated(step.card, place.section, step.defeater, honored))
    p.then(
        year.Fire(trigger="horde_defeated", clans=p.state.players, context=context),
        *(soldiers.Slay(clan=clan, card=step.card) for clan in p.state.players),
        soldiers.TakeAway(card=step.card, defeater=step.defeater),
    )


def _credits(
    state: State, place: Place, participants: tuple[int, ...]
) -> tuple[hordes.Credit, ...]:
    """What each player gets: for a soldier there, and for each Archer in the Section: GW-10.11."""
    honored = (
        hordes.Credit(
            seat,
            board.PARTICIPATION_HONOR if seat in participants else 0,
            board.ARCHER_HONOR * state.clans[seat].firing_in(place.section),
        )
        for seat in state.fighters
    )
    return tuple(one for one in honored if one.soldiers or one.archers)


def slay(p: Play[State], step: soldiers.Slay) -> None:
    """As many soldiers of a player on the card as it is lethal are about to die: GW-10.11."""
    place = p.state.place_of(step.card)
    assert place is not None
    if units := units_on(place, step.clan):
        kills.begin(p, step.clan, ((lethality(p.state, place), units),))


def take_away(p: Play[State], step: soldiers.TakeAway) -> None:
    """The card is claimed or discarded; survivors rest, cards behind it move on: GW-10.11.

    In the cooperative game its honor is taken at once: GW-16.9.
    """
    place = p.state.place_of(step.card)
    assert place is not None
    survivors = tuple((one.clan, one.soldier) for one in place.horde.standing())
    claimed = None if step.defeater == p.state.reed else step.defeater  # GW-15.8
    p.emit(hordes.HordeTaken(step.card, place.section, claimed, survivors))
    if claimed is not None and p.state.coop:
        supply.honor(p, claimed, decks.HORDES[step.card].honor, "hordes")
