"""Imagined tables: the cards that a seat does not know are dealt at random: GW-1.10."""

from __future__ import annotations

from domain.engine.dice import Dice, choose, shuffle
from domain.engine.play import Seat
from domain.games.great_wall.state.clans import Clan, Leaders, Reaction
from domain.games.great_wall.state.counts import in_order, without
from domain.games.great_wall.state.table import State
from domain.games.great_wall.view import UNKNOWN_SUPPORTERS, visible_commands


def imagine(state: State, seat: Seat, dice: Dice) -> State:
    """The same table, with the cards that this seat does not know dealt at random: GW-1.10.

    Resources stay as they are, because all seats saw each of them come and go.
    """
    imagined = state.copy()
    others = [clan for other, clan in enumerate(imagined.clans[: state.seats]) if other != seat]
    _deal_tactics(imagined, others, dice)
    _deal_leaders(imagined, others, dice)
    for clan in others:
        if clan.command is not None:
            cards = visible_commands(clan, own=False)
            clan.command = choose(dice, cards)
            clan.hand = without(cards, clan.command)
    return imagined


def _deal_tactics(state: State, others: list[Clan], dice: Dice) -> None:
    """Deal the hands of the others, and their secret choices from them."""
    hidden = (*state.tactic_deck, *(card for clan in others for card in clan.tactics))
    pool = _shuffle(dice, state.setup.tactics, hidden)
    for clan in others:
        clan.tactics = _draw(pool, len(clan.tactics))
        if clan.reaction is not None:
            clan.reaction = Reaction(choose(dice, (None, *clan.tactics)))
    state.tactic_deck = in_order(state.setup.tactics, tuple(pool))


def _deal_leaders(state: State, others: list[Clan], dice: Dice) -> None:
    """Deal the others' face-down Generals and advisors, and their secret choices from them."""
    dealt = (card for clan in others for card in clan.dealt_generals)
    generals = _shuffle(dice, state.setup.generals, (*state.general_deck, *dealt))
    down = [card for clan in others for card in (*clan.dealt_advisors, *clan.supporting[:1])]
    under_qin = () if state.qin is None else state.clans[state.qin].supporting[:UNKNOWN_SUPPORTERS]
    advisors = _shuffle(dice, state.setup.advisors, (*state.advisor_deck, *down, *under_qin))
    if state.qin is not None:
        qin = state.clans[state.qin]
        qin.supporting = (*_draw(advisors, len(under_qin)), *qin.supporting[UNKNOWN_SUPPORTERS:])
    for clan in others:
        clan.dealt_generals = _draw(generals, len(clan.dealt_generals))
        clan.dealt_advisors = _draw(advisors, len(clan.dealt_advisors))
        clan.supporting = (*_draw(advisors, len(clan.supporting[:1])), *clan.supporting[1:])
        if clan.leaders is not None:
            general, (active, supporting) = choose(dice, clan.dealt_generals), clan.dealt_advisors
            clan.leaders = Leaders(general, active, supporting)
    state.general_deck = in_order(state.setup.generals, tuple(generals))
    state.advisor_deck = in_order(state.setup.advisors, tuple(advisors))


def _shuffle(dice: Dice, deck: tuple[str, ...], cards: tuple[str, ...]) -> list[str]:
    """The cards shuffled, sorted as in the deck before, so that their order reveals nothing."""
    pool = list(in_order(deck, cards))
    shuffle(dice, pool)
    return pool


def _draw(pool: list[str], count: int) -> tuple[str, ...]:
    """Remove and return that number of cards of the pool."""
    return tuple(pool.pop() for _ in range(count))
