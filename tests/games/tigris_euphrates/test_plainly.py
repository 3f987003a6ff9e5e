"""The game agrees with the second version of the rules at every table of the recorded games."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.game import decide, legal_moves
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.events.conflicts import ConflictBegan
from domain.games.tigris_euphrates.events.monuments import MonumentScored, TreasuresTaken
from domain.games.tigris_euphrates.events.pieces import KingdomsUnited, LeaderExiled, TileScored
from domain.games.tigris_euphrates.moves import (
    BuildMonument,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
)
from domain.games.tigris_euphrates.state.steps import OfferMonument, Turn
from tests.games.tigris_euphrates.plainly import (
    PAIRS,
    Leader,
    Table,
    actions,
    read_recorded_moments,
    square,
    words,
)


def moments(*kinds: type[Any]) -> list[tuple[Any, Any]]:
    """The moments with a move of these kinds."""
    found = [(state, move) for state, move in read_recorded_moments() if isinstance(move, kinds)]
    assert len(found) > 3
    return found


def events(state: Any, move: Any, kind: type[Any]) -> list[Any]:
    """The events of this kind that the move has."""
    return [event for event in decide(GAME, state, move, Luck(0)) if isinstance(event, kind)]


@pytest.mark.slow
def test_all_that_may_be_done_is_offered_and_nothing_else():
    """TE-3.1, TE-5.2, TE-5.3, TE-5.4, TE-6.1, TE-6.2, TE-6.3, TE-7.1"""
    turns = [state for state, _ in read_recorded_moments() if isinstance(state.agenda[-1], Turn)]
    for state in turns[::100]:
        (seat,) = state.agenda[-1].seats
        menu = [words(move) for move in legal_moves(GAME, state, seat)]
        assert len(menu) == len(set(menu))
        assert set(menu) == set(actions(Table(state), seat))


def test_tiles_score_for_whom_they_should():
    """TE-6.4, TE-6.5, TE-6.6"""
    for state, move in moments(PlaceTile):
        table = Table(state)
        touched = [table.leaders(region).values() for region in table.adjacent_kingdoms(move.at)]
        scored = [(e.seat, e.leader, e.color) for e in events(state, move, TileScored)]
        wanted = []
        if len(touched) == 1:
            by_color = {leader.color: leader.seat for leader in touched[0]}
            owner = next((c for c in (move.color, "black") if c in by_color), None)
            wanted = [(by_color[owner], owner, move.color)] if owner else []
        assert scored == wanted


def test_two_kingdoms_are_united_as_they_were():
    """TE-6.6, TE-11.1"""
    for state, move in moments(PlaceTile):
        touched = Table(state).adjacent_kingdoms(move.at)
        united = events(state, move, KingdomsUnited)
        assert [{frozenset(side) for side in event.sides} for event in united] == (
            [touched] if len(touched) == 2 else []
        )


def test_wars_are_fought_with_the_tiles_of_the_own_side():
    """TE-11.2, TE-11.4, TE-11.5"""
    fought = 0
    for state, move in moments(PlaceTile):
        table = Table(state)
        for event in events(state, move, ConflictBegan):
            fought += 1
            color, seats = event.conflict.color, (event.conflict.attacker, event.conflict.defender)
            assert move.seat not in seats or seats[0] == move.seat
            told = (event.attacker_supporters, event.defender_supporters)
            for seat, supporters in zip(seats, told, strict=True):
                side = table.region(table.home(Leader(seat, color)))
                assert set(supporters) == {name for name in side if table.on[name] == color}
    assert fought > 3


def test_a_leader_meets_its_rival_in_the_kingdom_it_comes_to():
    """TE-4.3, TE-5.6, TE-10.1, TE-10.2"""
    revolts = 0
    for state, move in moments(PlaceLeader):
        table = Table(state)
        lifted = table.without(table.home(Leader(move.seat, move.color)))
        rivals = {
            name: leader.seat
            for region in lifted.adjacent_kingdoms(move.at)
            for name, leader in lifted.leaders(region).items()
            if leader.color == move.color
        }
        began = events(state, move, ConflictBegan)
        assert {event.conflict.defender_at: event.conflict.defender for event in began} == rivals
        for event in began:
            revolts += 1
            assert set(event.attacker_supporters) == set(table.temples(move.at))
            assert set(event.defender_supporters) == set(table.temples(event.conflict.defender_at))
    assert revolts > 3


def losses() -> list[tuple[Any, Any]]:
    """At some tables all moves that cover a temple, and all offered monuments."""
    turns = [state for state, _ in moments(PlaceTile) if len(state.kingdoms) > 2]
    offers = [
        state for state, _ in read_recorded_moments() if isinstance(state.agenda[-1], OfferMonument)
    ]
    return [
        (state, move)
        for state in [*turns[::3], *offers]
        for move in legal_moves(GAME, state, state.agenda[-1].seats[0])
        if isinstance(move, BuildMonument)
        or (isinstance(move, PlaceCatastrophe) and Table(state).on.get(move.at) == "red")
    ]


def test_leaders_whose_last_temple_is_gone_return():
    """TE-5.7, TE-7.3, TE-12.3"""
    exiled = 0
    for state, move in losses():
        table = Table(state)
        gone = square(move.at) if isinstance(move, BuildMonument) else [move.at]
        for name in gone:
            table.on[name] = "something else"
        homes = {
            (name, *what)
            for name, what in table.on.items()
            if isinstance(what, Leader) and not table.temples(name)
        }
        told = {(e.at, e.seat, e.color) for e in events(state, move, LeaderExiled)}
        assert told == homes
        exiled += len(told)
    assert exiled > 3


def test_squares_are_found_wherever_the_tile_completes_one():
    """TE-12.1, TE-12.2"""
    offers = [
        state for state, _ in read_recorded_moments() if isinstance(state.agenda[-1], OfferMonument)
    ]
    assert len(offers) > 3
    for state in offers:
        table, step = Table(state), state.agenda[-1]
        at, color = state.last.cells[-1], step.color
        complete = {
            name
            for name in table.names
            if at in square(name) and all(table.on.get(part) == color for part in square(name))
        }
        assert set(step.squares) == complete
        free = {pair for pair in PAIRS if pair not in table.monuments and color in pair}
        built = {m.monument for m in legal_moves(GAME, state, step.seats[0]) if words(m)[1:]}
        assert built == free


def test_monuments_pay_the_active_player_for_leaders_in_their_kingdom():
    """TE-14.1"""
    paid = 0
    last = [
        state
        for state, _ in read_recorded_moments()
        if last_action(state) and Table(state).monuments
    ]
    for state in last:
        table, seat = Table(state), state.agenda[0].seat
        scored = events(state, Pass(seat), MonumentScored)
        told = [(event.seat, event.monument, event.color) for event in scored]
        wanted = [
            (seat, pair, color)
            for pair in PAIRS
            if pair in table.monuments
            for color in pair.split("-")
            if table.home(Leader(seat, color)) in table.region(table.monuments[pair])
        ]
        assert told == wanted
        paid += len(told)
    assert paid > 3


def last_action(state: Any) -> bool:
    """Whether the turn ends after one more action."""
    return isinstance(state.agenda[-1], Turn) and state.agenda[-1].left == 1


@pytest.mark.slow
def test_no_kingdom_with_a_trader_keeps_two_treasures():
    """TE-13.1, TE-13.2"""
    taken = 0
    for state, move in read_recorded_moments():
        table = Table(state)
        if isinstance(state.agenda[-1], Turn):
            traders = [n for n, what in table.on.items() if what[1:] == ("green",)]
            assert all(len(table.region(home) & table.treasures) < 2 for home in traders)
        frames = {n for n in table.names if table.rows[int(n[1:]) - 1][ord(n[0]) - 65] == "C"}
        for event in events(state, move, TreasuresTaken):
            taken += 1
            assert event.left not in frames or set(event.cells) <= frames
    assert taken > 3
