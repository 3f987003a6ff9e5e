"""The Horde Defeat check: who gets honor, who dies, who claims: GW-10.10, GW-10.11."""

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
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import PlacedHorde, State


def defeat_full_cards(p: Play[State], _step: soldiers.DefeatCheck) -> None:
    """Defeat the Horde cards that are full now, one by one: GW-10.11."""
    full = [horde.card for cards in p.state.hordes for horde in cards if horde.full]
    p.then(*(soldiers.Defeat(card=card) for card in full))


def lethality(state: State, place: PlacedHorde) -> int:
    """How many soldiers of each player a Horde card kills: GW-4.2."""
    abilities = [decks.HORDES[horde.card].ability for horde in state.horde_cards(place.section)]
    own = decks.HORDES[place.horde.card].ability
    total = state.setup.slots[state.slot].lethality + modifiers.lethality_bonus(state)
    total += sum(found.amount for found in abilities if found.kind == "lethality_section")
    return max(0, total + (own.amount if own.kind == "lethality_self" else 0))


def defeater(state: State, place: PlacedHorde) -> int | None:
    """The clan that covers most Vital spots, in a tie the higher in Tea order; None without
    soldiers.

    GW-10.11.
    """
    most = max(state.tea, key=place.horde.count_covered)  # the first in Tea order wins ties
    return most if place.horde.count_covered(most) else None


def begin(p: Play[State], step: soldiers.Defeat) -> None:
    """Let seats play tactic cards, then go on with the defeat: GW-9.4, GW-10.11."""
    place = p.state.find_horde(step.card)
    assert place is not None
    winner = defeater(p.state, place)
    windows = tuple((seat, _windows(seat == winner)) for seat in p.state.players)
    p.then(
        steps.Moment(windows=windows, context=_context(place, winner)),
        soldiers.Defeated(card=step.card, defeater=winner),
    )


def _windows(winner: bool) -> tuple[Window, ...]:
    """The windows that are open for a player."""
    return ("horde_defeated", "you_defeat_horde") if winner else ("horde_defeated",)


def _context(place: PlacedHorde, winner: int | None) -> Context:
    return Context(
        sections=(place.section,),
        hordes=(place.horde.card,),
        defeater=winner,
        participants=tuple(dict.fromkeys(one.clan for one in place.horde.soldiers())),
    )


def credit(p: Play[State], step: soldiers.Defeated) -> None:
    """Add honor for soldiers and Archers, let abilities answer, then kill and claim: GW-10.11."""
    place = p.state.find_horde(step.card)
    assert place is not None
    context = _context(place, step.defeater)
    honored = _credits(p.state, place, context.participants)
    p.emit(hordes.HordeDefeated(step.card, place.section, step.defeater, honored))
    p.then(
        steps.Fire(trigger="horde_defeated", clans=p.state.players, context=context),
        *(soldiers.Slay(clan=clan, card=step.card) for clan in p.state.players),
        soldiers.TakeAway(card=step.card, defeater=step.defeater),
    )


def _credits(
    state: State, place: PlacedHorde, participants: tuple[int, ...]
) -> tuple[hordes.Credit, ...]:
    """The honor of each player: for soldiers there, for each Archer in the Section: GW-10.11."""
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
    """Doom as many soldiers of a player on the card as its Lethality: GW-10.11."""
    place = p.state.find_horde(step.card)
    assert place is not None
    if units := units_on(place, step.clan):
        kills.begin(p, step.clan, ((lethality(p.state, place), units),), "GW-10.11")


def take_away(p: Play[State], step: soldiers.TakeAway) -> None:
    """Claim or discard the card; survivors rest, the cards behind it move up: GW-10.11.

    In the cooperative game the clan takes its honor at once: GW-16.9.
    """
    place = p.state.find_horde(step.card)
    assert place is not None
    survivors = tuple((one.clan, one.soldier) for one in place.horde.soldiers())
    claimed = None if step.defeater == p.state.reed else step.defeater  # GW-15.8
    rule = "GW-16.9" if p.state.coop else "GW-10.11"
    p.emit(hordes.HordeTaken(step.card, place.section, claimed, survivors, rule))
    if claimed is not None and p.state.coop:
        supply.change_honor(p, claimed, decks.HORDES[step.card].honor, "hordes", rule)
