"""What the analysis finds: planted blunders, lucky draws, stronger bots, swings."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any

import msgspec
import pytest

from domain.analysis.analysis import Analysis, analyse
from domain.analysis.attribution import Ledger, Swing, lead_changes, turning_points
from domain.analysis.chances import Stage, chances, shares
from domain.analysis.errors import Weighed, accuracy, weigh
from domain.analysis.search_budget import Effort
from domain.engine.bots import sight_of
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Game, advance, awaited, legal_moves
from domain.engine.play import Move, Seat
from domain.engine.scoring import Line, Scoring
from domain.games import GAMES
from tests.analysis.matches import PEOPLE, Quick, given_up
from tests.engine.toy import GAME as TOY
from tests.games.modes import tables
from tests.games.record import record

ALL = (*GAMES.values(), TOY)
EVERY = pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
BEGUN, LOOKED_AT = 4, 12
"""Decisions before the first that a blunder can be planted in, and how many of them there are."""


def begun(game: Game[Any], moves: int = 0, seed: int = 3) -> Quick:
    """A match of two, after so many moves by chance."""
    match = Quick(game, " ".join(PEOPLE[: game.seats[0]]), seed=seed.to_bytes(32, "big"))
    match.by_chance(Random(seed), moves)
    return match


def in_order(match: Quick) -> list[tuple[float, Move]]:
    """What may be chosen now, the worst first, by the chance to win that it leaves."""
    game, state = match.game, match.match.state
    seat = match.match.awaited[0]
    found = []
    for place, move in enumerate(legal_moves(game, state, seat)):
        after = state.copy()
        advance(game, after, move, Luck(1))
        found.append((chances(game, after, Stage(game.seats[0], BEGUN))[seat], place, move))
    return [(chance, move) for chance, _, move in sorted(found, key=lambda one: one[:2])]


def where_it_matters(game: Game[Any]) -> int:
    """After how many moves by chance the choice matters most."""

    def stake(moves: int) -> float:
        match = begun(game, moves)
        ordered = in_order(match) if match.match.awaited else [(0.0, None)]
        return ordered[-1][0] - ordered[0][0]

    return max(range(BEGUN, BEGUN + LOOKED_AT), key=stake)


def last_choice(match: Quick, move: Move) -> Any:
    """What the analysis says of this move, after which all but the first resign."""
    match.move(move)
    told = analyse(match.game, given_up(match), lambda done, of: None)
    return told.choices[-1]


@EVERY
def test_a_planted_blunder_is_found_and_the_best_move_is_none(game):
    moves = where_it_matters(game)
    worst, best = (in_order(begun(game, moves))[place][1] for place in (0, -1))
    blunder, fine = last_choice(begun(game, moves), worst), last_choice(begun(game, moves), best)
    assert blunder.error > 0.04
    assert blunder.accuracy < 85
    assert fine.error < blunder.error / 4
    assert fine.accuracy > blunder.accuracy
    better = json_codec.read_move(game, blunder.seat, blunder.best)
    assert better in legal_moves(game, begun(game, moves).match.state, blunder.seat)
    assert better != worst


@EVERY
def test_a_forced_move_is_no_error(game):
    told = analyse(game, given_up(begun(game, 16)), lambda done, of: None)
    forced = [choice for choice in told.choices if choice.legal == 1]
    assert all(choice.error is choice.accuracy is choice.best is None for choice in forced)
    for seat, found in enumerate(told.seats):
        free = [one for one in told.choices if one.seat == seat and one.legal > 1]
        if free:
            assert found.error == pytest.approx(fmean(one.error or 0.0 for one in free))
            assert found.accuracy == pytest.approx(fmean(one.accuracy or 0.0 for one in free))


STRONG = {"great_wall": "builder", "tigris_euphrates": "gilgamesh"}
"""Where the strongest level of those that answer at once goes by another evaluation, or looks too
far ahead for single moves to show it."""
DECISIONS = {"great_wall": 80}
"""Where 20 are too few to tell."""
MATCHES = range(1, 5)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_strong_level_is_more_accurate_than_a_weak_one(game):
    strong = STRONG.get(game.key) or [one.key for one in game.levels if not one.deep][-1]
    levels = [game.levels[0], next(one for one in game.levels if one.key == strong)]
    played = [contest(game, levels, seed).seats for seed in MATCHES]
    weak, strong = (fmean(seats[seat].accuracy or 0.0 for seats in played) for seat in (0, 1))
    assert strong > weak + 1


def contest(game: Game[Any], levels: list[Any], seed: int) -> Analysis:
    """A match of bots on the first two seats, of which the first decisions are analysed."""
    match = Quick(game, " ".join(PEOPLE[:2]), seed=seed.to_bytes(32, "big"))
    luck = Luck(seed)
    for _ in range(DECISIONS.get(game.key, 20)):
        if match.match.awaited:
            seat = match.match.awaited[0]
            match.move(levels[seat].bot(sight_of(game, match.match.state, seat, luck)))
    return analyse(game, given_up(match), lambda done, of: None)


def luck_of_the_setup(seed: int) -> float:
    """How lucky the first seat of the toy game was with its first cards."""
    told = analyse(TOY, given_up(begun(TOY, seed=seed)), lambda done, of: None)
    assert told.draws[0].what
    return told.draws[0].luck[0]


def test_a_planted_lucky_draw_is_luck():
    """The best and the worst of some deals; all together are neither."""
    deals = range(40)
    worth = {}
    for seed in deals:
        mine, theirs = begun(TOY, seed=seed).match.state.hands
        worth[seed] = sum(mine) - sum(theirs)
    best, worst = max(deals, key=worth.__getitem__), min(deals, key=worth.__getitem__)
    assert luck_of_the_setup(best) > 0.03
    assert luck_of_the_setup(worst) < -0.03
    assert fmean(map(luck_of_the_setup, deals)) == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_draws_are_told_with_what_could_have_been_others(game):
    told = analyse(game, given_up(begun(game, 20)), lambda done, of: None)
    types = {kind.__name__ for kind in game.events}
    assert told.draws
    for draw in told.draws:
        assert set(draw.what) <= types
        assert draw.dice >= 1
    assert any(draw.what for draw in told.draws)
    assert [draw.draw for draw in told.draws] == sorted({draw.draw for draw in told.draws})


@EVERY
def test_what_no_draw_changes_is_no_luck_at_all(game):
    """Not even the least: numbers that only rounding makes would be taken for a result."""
    for seed in range(6):
        told = analyse(game, given_up(begun(game, seed=seed)), lambda done, of: None)
        assert all(luck == 0 or abs(luck) > 1e-9 for draw in told.draws for luck in draw.luck)


def test_only_what_the_seat_knows_counts_against_it():
    """The sealed card of a rival decides who takes the prize, and nobody can be blamed for it."""
    found = []
    for rival in range(2):
        match = begun(TOY, seed=8)
        cards = legal_moves(TOY, match.match.state, 0)
        match.move(legal_moves(TOY, match.match.state, 1)[-rival])
        state, stage = match.match.state, Stage(2, 2)
        found.append(weigh(TOY, state, cards[0], cards, stage, Effort(samples=64), Luck(5)))
    assert found[0].error == pytest.approx(found[1].error, abs=0.02)


def test_what_was_played_is_the_best_if_there_is_no_better():
    match = begun(TOY, 6)
    [*moves] = legal_moves(TOY, match.match.state, seat := match.match.awaited[0])
    told = [
        weigh(TOY, match.match.state, move, moves, Stage(2, 7), Effort(), Luck(1)) for move in moves
    ]
    assert Weighed(None, 0.0) in told
    assert all(one.error >= 0 and (one.best is None) == (one.error == 0) for one in told)
    assert seat in awaited(match.match.state)


@pytest.mark.parametrize(
    ("error", "expected"), [(0.0, 99.9999), (0.05, 79.815), (0.2, 40.019), (0.8, 0.0), (1.0, 0.0)]
)
def test_accuracy_is_on_the_scale_of_lichess(error, expected):
    assert accuracy(error) == pytest.approx(expected, abs=0.02)


def test_the_ledger_tells_luck_from_decisions():
    ledger = Ledger(2)
    assert ledger.enter(1, (0.6, 0.4), (), mean=(0.5, 0.5)) == pytest.approx((0.1, -0.1))
    ledger.enter(2, (0.7, 0.3), (1,))
    assert ledger.enter(3, (0.9, 0.1), (0,), mean=(0.8, 0.2)) == pytest.approx((0.1, -0.1))
    assert ledger.start == (0.5, 0.5)
    assert ledger.luck == pytest.approx([0.2, -0.2])
    assert ledger.own == pytest.approx([0.1, -0.1])
    assert ledger.others == pytest.approx([0.1, -0.1])


def swings(*told: tuple[float, ...]) -> list[Swing]:
    """From each to the next, as versions from 2."""
    return [
        Swing(version, before, after) for version, (before, after) in enumerate(pairwise(told), 2)
    ]


def test_turning_points_are_the_few_large_swings_in_their_order():
    quiet = swings((0.5, 0.5), (0.55, 0.45), (0.5, 0.5))
    assert turning_points(quiet) == ()
    told = swings((0.5, 0.5), (0.7, 0.3), (0.65, 0.35), (0.2, 0.8), (0.31, 0.69))
    assert turning_points(told) == (2, 4, 5)
    many = swings(*[(0.5 + sign * size / 100, 0.5 - sign * size / 100)
                    for size in range(6, 18) for sign in (1, -1)])  # fmt: skip
    assert len(turning_points(many)) == 5
    assert max(turning_points(many)) == many[-1].version


def test_the_lead_changes_when_another_is_clearly_ahead():
    told = swings((0.5, 0.5), (0.52, 0.48), (0.495, 0.505), (0.4, 0.6), (0.6, 0.4), (1.0, 0.0))
    assert lead_changes(told) == (4, 5)
    assert lead_changes(swings((0.4,), (0.9,), (0.2,))) == ()


def scoring(*ranks: int) -> Scoring:
    return Scoring("cards", tuple(Line(seat, rank, 0, {}) for seat, rank in enumerate(ranks)))


def test_shares_of_the_win_go_to_the_first_of_those_who_did_not_resign():
    assert shares(scoring(1, 1, 3)) == (0.5, 0.5, 0)
    assert shares(scoring(1, 1, 3), frozenset({0})) == (0, 1, 0)
    assert shares(scoring(1, 2, 2), frozenset({0})) == (0, 0.5, 0.5)
    assert shares(scoring(1, 2), frozenset({0, 1})) == (1, 0)


def test_each_of_those_who_won_together_has_all_of_it_and_nobody_who_is_out():
    won = msgspec.structs.replace(scoring(1, 1, 1), won=True)
    lost = msgspec.structs.replace(scoring(2, 2), won=False)
    assert shares(won) == (1, 1, 1)
    assert shares(won, frozenset({1})) == (1, 0, 1)
    assert shares(lost) == (0, 0)
    assert [won.share(seat) for seat in range(3)] == [1, 1, 1]
    assert [scoring(1, 1, 3).share(seat) for seat in range(3)] == [0.5, 0.5, 0]


TOGETHER = [table for table in tables(GAMES.values()) if table.game.together(table.setup)]


@pytest.mark.parametrize("table", TOGETHER, ids=lambda table: table.id)
def test_a_table_that_plays_together_has_one_chance(table):
    state = record(table.game, table.seats, 0).moments[0].state
    told = chances(table.game, state, Stage(table.seats, 10, mode="any", together=True))
    assert 0 < told[0] < 1
    assert set(told) == {told[0]}
    if table.seats > 1:
        gone = Stage(table.seats, 10, frozenset({0}), "any", together=True)
        assert chances(table.game, state, gone)[:2] == (0, told[1])


@EVERY
def test_chances_are_shares_of_one_and_nothing_for_those_who_are_out(game):
    state = begun(game, 10).match.state
    seats = game.seats[0]
    told = chances(game, state, Stage(seats, 10))
    assert sum(told) == pytest.approx(1)
    assert min(told) > 0
    out: frozenset[Seat] = frozenset({0})
    assert chances(game, state, Stage(seats, 10, out))[0] == 0
    assert sum(chances(game, state, Stage(seats, 10, out))) == pytest.approx(1)
    assert chances(game, state, Stage(seats, 10, frozenset(range(seats)))) == told


def test_a_swing_is_what_went_from_some_to_others_or_what_all_gained_or_lost():
    assert Swing(1, (0.5, 0.3, 0.2), (0.3, 0.4, 0.3)).size == pytest.approx(0.2)
    assert Swing(1, (0.5,), (0.7,)).size == pytest.approx(0.2)
    assert Swing(1, (0.5, 0.5, 0.5), (0.4, 0.4, 0.4)).size == pytest.approx(0.1)
