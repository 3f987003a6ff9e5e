"""A table as a seat may imagine it: the cards that it does not know dealt anew: GW-1.10."""

from __future__ import annotations

from domain.engine.dice import Dice, choose, shuffle
from domain.engine.play import Seat
from domain.games.great_wall.state.clans import Clan, Leaders, Reaction
from domain.games.great_wall.state.counts import in_order, without
from domain.games.great_wall.state.table import State
from domain.games.great_wall.view import UNDER_QIN, commands


def imagine(state: State, seat: Seat, dice: Dice) -> State:
    """The same table with the cards dealt anew that this seat does not know: GW-1.10.

    Resources stay as they are: everybody saw each of them come and go.
    """
    imagined = state.copy()
    others = [clan for other, clan in enumerate(imagined.clans[: state.seats]) if other != seat]
    _deal_tactics(imagined, others, dice)
    _deal_leaders(imagined, others, dice)
    for clan in others:
        if clan.command is not None:
            cards = commands(clan, own=False)
            clan.command = choose(dice, cards)
            clan.hand = without(cards, clan.command)
    return imagined


def _deal_tactics(state: State, others: list[Clan], dice: Dice) -> None:
    """Hands, and what was chosen from them at this moment."""
    hidden = (*state.tactic_deck, *(card for clan in others for card in clan.tactics))
    pool = _shuffled(dice, state.setup.tactics, hidden)
    for clan in others:
        clan.tactics = _taken(pool, len(clan.tactics))
        if clan.reaction is not None:
            clan.reaction = Reaction(choose(dice, (None, *clan.tactics)))
    state.tactic_deck = in_order(state.setup.tactics, tuple(pool))


def _deal_leaders(state: State, others: list[Clan], dice: Dice) -> None:
    """Generals and advisors that were dealt face down, and what was chosen from them."""
    dealt = (card for clan in others for card in clan.dealt_generals)
    generals = _shuffled(dice, state.setup.generals, (*state.general_deck, *dealt))
    down = [card for clan in others for card in (*clan.dealt_advisors, *clan.supporting[:1])]
    under_qin = () if state.qin is None else state.clans[state.qin].supporting[:UNDER_QIN]
    advisors = _shuffled(dice, state.setup.advisors, (*state.advisor_deck, *down, *under_qin))
    if state.qin is not None:
        qin = state.clans[state.qin]
        qin.supporting = (*_taken(advisors, len(under_qin)), *qin.supporting[UNDER_QIN:])
    for clan in others:
        clan.dealt_generals = _taken(generals, len(clan.dealt_generals))
        clan.dealt_advisors = _taken(advisors, len(clan.dealt_advisors))
        clan.supporting = (*_taken(advisors, len(clan.supporting[:1])), *clan.supporting[1:])
        if clan.leaders is not None:
            general, (active, supporting) = choose(dice, clan.dealt_generals), clan.dealt_advisors
            clan.leaders = Leaders(general, active, supporting)
    state.general_deck = in_order(state.setup.generals, tuple(generals))
    state.advisor_deck = in_order(state.setup.advisors, tuple(advisors))


def _shuffled(dice: Dice, deck: tuple[str, ...], cards: tuple[str, ...]) -> list[str]:
    """These cards of a deck in any order, whatever the order in which they are given."""
    pool = list(in_order(deck, cards))
    shuffle(dice, pool)
    return pool


def _taken(pool: list[str], count: int) -> tuple[str, ...]:
    """That many cards, which leave the pool."""
    return tuple(pool.pop() for _ in range(count))
