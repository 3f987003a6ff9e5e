"""Positions in a turn, as a game reaches them."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.play import Step
from domain.games.great_wall.rules import fall
from domain.games.great_wall.rules.reachable.positions import read_position
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.position import write_position
from domain.games.great_wall.state.table import State
from tests.games.great_wall.situations import full_table

TURN = [
    steps.TakeTurn(slot=1),
    *reversed(list(fall.plan_turn(0, 0))),
]


def in_turn(*above: Step, **own: Any) -> State:
    """Seat 0 has its turn, with these steps in progress."""
    state = full_table(general="song_ci", active=("drill_master",), **own)
    state.clans[1].general, state.clans[2].general = "wan_yi", "yue_fei"
    state.active, state.season, state.shame = 0, "fall", 28
    for seat, clan in enumerate(state.clans):
        laid = [one.card for one in state.track if one and one.clan == seat]
        gone = {*laid, *clan.discard}
        clan.hand = tuple(card for card in ALL if card not in gone)
        clan.pool = tuple(
            whole - away
            for whole, away in zip((10, 4, 2), away_from_pool(state, seat), strict=True)
        )
        clan.clerks_pool = 8 - clan.clerks_space - sum(clan.clerks)
    hidden = {*state.tactic_discard, *(card for clan in state.clans for card in clan.tactics)}
    state.tactic_deck = tuple(card for card in state.setup.tactics if card not in hidden)
    state.agenda = [*TURN[:-1], *above]
    return state


def muster(state: State, seat: int) -> None:
    """Put all soldiers that are nowhere else into the pool."""
    away = away_from_pool(state, seat)
    state.clans[seat].pool = tuple(a - b for a, b in zip((10, 4, 2), away, strict=True))


ALL = ("attack_order", "economy", "despotism", "work_harder", "raise_banners", "betrayal")


def away_from_pool(state: State, seat: int) -> list[int]:
    """By type, soldiers of a seat that are not in its pool."""
    clan = state.clans[seat]
    away = [sum(counts) for counts in zip(clan.shamed, *clan.rest, strict=True)]
    away[1] += sum(clan.firing) + sum(one is not None for one in clan.overseers)
    for place in state.hordes_on_board():
        for one in place.horde.soldiers(seat):
            away[("spearman", "archer", "horseman").index(one.soldier)] += 1
    return away


def read(state: State) -> State:
    """The position, written and read again."""
    written = msgspec.json.decode(json_codec.encode(write_position(state)))
    return read_position(state.setup, written, state.seats)
