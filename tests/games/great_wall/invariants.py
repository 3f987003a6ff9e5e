"""Invariants of every table of The Great Wall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.games.great_wall import board
from domain.games.great_wall.cards import automata, decks
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.table import State


def check_invariants(state: State) -> None:
    """Check that nothing is lost or duplicated, and nothing stands without room."""
    for number, clan in enumerate(state.clans):
        soldiers_are_all_there(state, number, clan)
        clerks_are_all_there(state, number, clan)
        nothing_is_below_none(clan)
        assert sum(clan.counted) == clan.honor
        if clan.general:
            command_cards_are_all_there(state, number, clan)
    if state.coop:
        claims_are_discarded(state)
    if state.qin is not None:
        qin_is_as_ever(state, state.qin)
    cards_are_all_there(state)
    pieces_have_room(state)
    assert 0 <= state.shame <= state.setup.table.shame_pool - sum(c.shame for c in state.clans)
    assert sorted(state.tea) == list(range(len(state.clans)))


def claims_are_discarded(state: State) -> None:
    """Check that no seat keeps a Horde card, and that each Winter except the last had one event.

    GW-16.9, GW-16.14.
    """
    assert not any(clan.claimed for clan in state.clans)
    winters = state.slot - state.setup.table.start_slot
    assert winters <= len(state.events) <= winters + (state.season == "winter")


def qin_is_as_ever(state: State, number: int) -> None:
    """Check that Qin has all his cards and tokens, and nothing he never owns: GW-14.2, GW-14.9."""
    qin = state.clans[number]
    laid = [laid.card for laid in state.track if laid and laid.clan == number]
    cards = (*state.solo_deck, *qin.discard, *laid, *([qin.shown] if qin.shown else []))
    assert sorted(cards) == sorted(automata.SOLO)
    assert sorted(state.tokens) == sorted(automata.TOKENS)
    away = {place for place, count in zip(board.LOCATIONS, qin.clerks, strict=True) if count}
    assert away <= set(automata.PLACE_OF.values())
    assert all(qin.overseers)
    assert not any((qin.active, qin.tactics, qin.shame, *qin.resources, *map(sum, qin.rest)))
    assert (state.shame > 0) or state.ended == "shame"


def soldiers_are_all_there(state: State, number: int, clan: Clan) -> None:
    fighting = Counter(
        one.soldier for place in state.hordes_on_board() for one in place.horde.soldiers(number)
    )
    fighting.update(one.soldier for one in clan.overseers if one)
    fighting["archer"] += sum(clan.firing)
    troops = [board.TROOPS[0], 0, 0] if number == state.reed else board.TROOPS
    for soldier, at, total in zip(board.SOLDIERS, range(3), troops, strict=True):
        resting = sum(row[at] for row in clan.rest)
        own = clan.pool[at] + clan.shamed[at] + clan.lost[at]
        assert own + resting + fighting[soldier] == total


def clerks_are_all_there(state: State, number: int, clan: Clan) -> None:
    total = 3 if number == state.reed else board.CLERKS
    assert clan.clerks_pool + clan.clerks_space + sum(clan.clerks) == total
    assert number != state.reed or (sum(clan.clerks), max(clan.clerks)) == (3, 1)


def nothing_is_below_none(clan: Clan) -> None:
    counts: Sequence[int] = (
        *clan.pool,
        *clan.shamed,
        *clan.lost,
        *clan.resources,
        *clan.clerks,
        *clan.firing,
        *(count for row in clan.rest for count in row),
    )
    assert min(*counts, clan.clerks_pool, clan.clerks_space, clan.honor) >= 0


def command_cards_are_all_there(state: State, number: int, clan: Clan) -> None:
    laid = [laid.card for laid in state.track if laid and laid.clan == number]
    chosen = [card for card in (clan.command, clan.shown) if card]
    assert sorted((*clan.hand, *clan.discard, *laid, *chosen)) == sorted(decks.COMMANDS)


def cards_are_all_there(state: State) -> None:
    clans, setup = state.clans, state.setup
    lying = [place.horde.card for place in state.hordes_on_board()]
    claimed = [claim.card for clan in clans for claim in clan.claimed]
    hordes = (*state.horde_deck, *state.horde_discard, *lying, *claimed)
    held = [card for clan in clans for card in clan.tactics]
    tactics = (*state.tactic_deck, *state.tactic_discard, *state.played, *held)
    taken = [card for c in clans for card in (*c.active, *c.supporting, *c.dealt_advisors)]
    advisors = (*state.advisor_deck, *state.advisor_discard, *state.advisors, *taken)
    asked = (*state.request_deck, *state.requests, *state.fulfilled)
    for found, deck in (
        (asked, setup.requests),
        (hordes, setup.hordes),
        (tactics, setup.tactics),
        (advisors, setup.advisors),
        ((*state.event_deck, *state.events), setup.events),
    ):
        assert sorted(found) == sorted(deck)


def pieces_have_room(state: State) -> None:
    assert min(state.warehouse) >= 0
    assert state.warehouse[board.CHI] == 0
    for section in board.SECTIONS:
        assert state.free_firing_spots(section) >= 0
        assert 0 <= state.barricades_in(section) <= board.BARRICADES
        assert 0 <= state.wall(section) <= board.TOP_LEVEL
        assert len(state.horde_cards(section)) <= board.ROWS
        assert all(claim.shame <= 2 for clan in state.clans for claim in clan.claimed)
    assert all((state.free_slots(location) or 0) >= 0 for location in board.LOCATIONS)
