"""What the analysis finds: planted blunders, lucky draws, stronger bots, swings."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any

import msgspec
import pytest

from domain.analysis import turning_points
from domain.analysis.analysis import Analysis, analyse
from domain.analysis.attribution import Attribution, Swing, lead_changes
from domain.analysis.chances import Stage, chances, win_shares
from domain.analysis.errors import DecisionError, accuracy, decision_error
from domain.analysis.search_budget import SearchBudget
from domain.analysis.turning_points import TurningPoint, find_turning_points
from domain.engine.bots import bot_view
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Game, advance, legal_moves, seats_to_move
from domain.engine.play import Move, Seat
from domain.engine.scoring import ScoreLine, Scoring
from domain.games import GAMES
from tests.analysis.matches import PEOPLE, Quick, give_up, search_little
from tests.engine.toy import GAME as TOY
from tests.games.modes import tables
from tests.games.record import record
from tests.support.for_each import for_each

ALL = (*GAMES.values(), TOY)
EVERY = pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
ANALYSED = ("great_wall", "qin", "toy")
"""Games whose analyses are looked at: what adds up in them knows no game."""
BEGUN, LOOKED_AT = 6, 2
"""Decisions before the first possible blunder, and the number of decisions to try."""
GUESSES = 2
"""Positions that a seat considers possible when it looks for the best move."""


def begin_match(game: Game[Any], moves: int = 0, seed: int = 3) -> Quick:
    """A match of two, after this many random moves."""
    match = Quick(game, " ".join(PEOPLE[: game.seats[0]]), seed=seed.to_bytes(32, "big"))
    match.by_chance(Random(seed), moves)
    return match


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            game,
            id=game.key,
            marks=[
                pytest.mark.xdist_group(f"analysis of {game.key}"),
                *([] if game.key in ANALYSED else [pytest.mark.long]),
            ],
        )
        for game in ALL
    ],
)
def analysed(request: pytest.FixtureRequest) -> tuple[Game[Any], Analysis]:
    """A game and the analysis of a match of it, in which every swing is a turning point."""
    game = request.param
    with pytest.MonkeyPatch.context() as patch:
        search_little(patch)
        patch.setattr(turning_points, "MIN_CHANGE", 1e-6)
        patch.setattr(turning_points, "MAX_TURNING_POINTS", 1_000)
        return game, analyse(game, give_up(begin_match(game, 12)), lambda done, of: None)


def in_order(match: Quick) -> list[tuple[float, Move]]:
    """The legal moves, the worst first, by the mean chance to win after them in what the seat
    imagines.
    """
    game, state = match.game, match.match.state
    seat = match.match.seats_to_move[0]
    guesses = [game.imagine(state, seat, Luck(luck)) for luck in range(GUESSES)]
    found = []
    for place, move in enumerate(legal_moves(game, state, seat)):
        known = []
        for luck, guess in enumerate(guesses):
            after = guess.copy()
            advance(game, after, move, Luck(luck))
            known.append(chances(game, after, Stage(game.seats[0], BEGUN))[seat])
        found.append((fmean(known), place, move))
    return [(chance, move) for chance, _, move in sorted(found, key=lambda one: one[:2])]


def where_it_matters(game: Game[Any]) -> tuple[int, Move, Move]:
    """The number of random moves after which the choice matters most; the worst move then, and the
    best.
    """
    found = []
    for moves in range(BEGUN, BEGUN + LOOKED_AT):
        match = begin_match(game, moves)
        if match.match.seats_to_move:
            (least, worst), *_, (most, best) = in_order(match) * 2  # one move is worst and best
            found.append((most - least, moves, worst, best))
    return max(found, key=lambda one: one[0])[1:]


def last_choice(match: Quick, move: Move) -> Any:
    """The analysis of this move, after which all seats but the first resign."""
    match.move(move)
    told = analyse(match.game, give_up(match), lambda done, of: None)
    return told.choices[-1]


@EVERY
def test_a_planted_blunder_is_found_and_the_best_move_is_none(game):
    moves, worst, best = where_it_matters(game)
    blunder, fine = (
        last_choice(begin_match(game, moves), worst),
        last_choice(begin_match(game, moves), best),
    )
    assert fine.error < blunder.error
    assert fine.accuracy > blunder.accuracy
    if game.resources.calibration.seats:  # matches were measured, so an error has a known size
        assert blunder.error > 0.04
        assert blunder.accuracy < 85
        assert fine.error < blunder.error / 4
    better = json_codec.read_move(game, blunder.seat, blunder.best)
    assert better in legal_moves(game, begin_match(game, moves).match.state, blunder.seat)
    assert better != worst


def test_chances_go_on_from_decision_to_decision(analysed):
    _, told = analysed
    assert len(told.choices) > 1
    assert [choice.number for choice in told.choices] == list(range(1, len(told.choices) + 1))
    assert all(one.after == following.before for one, following in pairwise(told.choices))


def test_a_forced_move_is_no_error(analysed):
    _, told = analysed
    forced = [choice for choice in told.choices if choice.legal == 1]
    assert all(choice.error is choice.accuracy is choice.best is None for choice in forced)
    for seat, found in enumerate(told.seats):
        free = [one for one in told.choices if one.seat == seat and one.legal > 1]
        if free:
            assert found.error == pytest.approx(fmean(one.error or 0.0 for one in free))
            assert found.accuracy == pytest.approx(fmean(one.accuracy or 0.0 for one in free))


STRONG = {"great_wall": "warden", "tigris_euphrates": "gilgamesh"}
"""The level to use where the strongest level that answers at once has another evaluation, or looks
too far ahead for single moves to show it.
"""
DECISIONS = {"great_wall": 40}
"""Decisions to analyse where 20 are too few for a result."""
SEEDS = {"great_wall": range(1, 5)}
"""Of several matches, where even the weakest level rarely errs."""
SHORT = ("chang_cheng", "qin")
"""Games of which a match is analysed in little time; `make test-long` analyses one of each."""

CALIBRATED = [game for game in ALL if game.resources.calibration.seats]
"""Games whose evaluations were compared with wins."""


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.key, marks=[] if game.key in SHORT else [pytest.mark.long])
        for game in CALIBRATED
    ],
)
def test_a_strong_level_is_more_accurate_than_a_weak_one(game):
    strong = STRONG.get(game.key) or [one.key for one in game.levels if not one.deep][-1]
    levels = [game.levels[0], next(one for one in game.levels if one.key == strong)]
    told = [contest(game, levels, seed).seats[:2] for seed in SEEDS.get(game.key, [1])]
    weak, strong = (fmean(one.accuracy or 0.0 for one in seat) for seat in zip(*told, strict=True))
    assert strong > weak + 1


@pytest.mark.long
@pytest.mark.parametrize("game", CALIBRATED, ids=lambda game: game.key)
def test_so_it_is_in_analyses_that_search_as_deeply_as_they_usually_do(game):
    test_a_strong_level_is_more_accurate_than_a_weak_one(game)


def contest(game: Game[Any], levels: list[Any], seed: int) -> Analysis:
    """Analyse the first decisions of a match with these bots on the first two seats."""
    match = Quick(game, " ".join(PEOPLE[:2]), seed=seed.to_bytes(32, "big"))
    luck = Luck(seed)
    for _ in range(DECISIONS.get(game.key, 20)):
        if match.match.seats_to_move:
            seat = match.match.seats_to_move[0]
            match.move(levels[seat].bot(bot_view(game, match.match.state, seat, luck)))
    return analyse(game, give_up(match), lambda done, of: None)


def luck_of_the_setup(seed: int) -> float:
    """The luck of the first seat of the toy game in its first cards."""
    told = analyse(TOY, give_up(begin_match(TOY, seed=seed)), lambda done, of: None)
    assert told.draws[0].what
    return told.draws[0].luck[0]


def test_a_planted_lucky_draw_is_luck():
    """The best and the worst of some deals; their mean is neither."""
    deals = range(40)
    worth = {}
    for seed in deals:
        mine, theirs = begin_match(TOY, seed=seed).match.state.hands
        worth[seed] = sum(mine) - sum(theirs)
    best, worst = max(deals, key=worth.__getitem__), min(deals, key=worth.__getitem__)
    assert luck_of_the_setup(best) > 0.03
    assert luck_of_the_setup(worst) < -0.03
    assert fmean(map(luck_of_the_setup, deals)) == pytest.approx(0, abs=0.02)


def test_draws_are_listed_with_their_alternatives(analysed):
    game, told = analysed
    types = {kind.__name__ for kind in game.events}
    assert told.draws
    for draw in told.draws:
        assert set(draw.what) <= types
        assert draw.dice >= 1
    assert any(draw.what for draw in told.draws)
    assert [draw.draw for draw in told.draws] == sorted({draw.draw for draw in told.draws})


@pytest.mark.usefixtures("small_budget")
@EVERY
def test_what_no_draw_changes_is_no_luck_at_all(game):
    """Exactly zero: readers would take rounding errors for a result."""
    for seed in range(2):
        told = analyse(game, give_up(begin_match(game, seed=seed)), lambda done, of: None)
        assert all(luck == 0 or abs(luck) > 1e-9 for draw in told.draws for luck in draw.luck)


def test_only_what_the_seat_knows_counts_against_it():
    """The sealed card of a rival decides who takes the prize, and no seat is to blame for it."""
    found = []
    for rival in range(2):
        match = begin_match(TOY, seed=8)
        cards = legal_moves(TOY, match.match.state, 0)
        match.move(legal_moves(TOY, match.match.state, 1)[-rival])
        state, stage = match.match.state, Stage(2, 2)
        found.append(
            decision_error(TOY, state, cards[0], cards, stage, SearchBudget(samples=64), Luck(5))
        )
    assert found[0].error == pytest.approx(found[1].error, abs=0.02)


def test_what_was_played_is_the_best_if_there_is_no_better():
    match = begin_match(TOY, 6)
    [*moves] = legal_moves(TOY, match.match.state, seat := match.match.seats_to_move[0])
    told = [
        decision_error(TOY, match.match.state, move, moves, Stage(2, 7), SearchBudget(), Luck(1))
        for move in moves
    ]
    assert DecisionError(None, 0.0) in told
    assert all(one.error >= 0 and (one.best is None) == (one.error == 0) for one in told)
    assert seat in seats_to_move(match.match.state)


@for_each(
    ("error", "expected"), [(0.0, 99.9999), (0.05, 79.815), (0.2, 40.019), (0.8, 0.0), (1.0, 0.0)]
)
def test_accuracy_is_on_the_scale_of_lichess(error, expected):
    assert accuracy(error) == pytest.approx(expected, abs=0.02)


def test_the_ledger_separates_luck_from_decisions():
    ledger = Attribution(2)
    assert ledger.add(1, (0.6, 0.4), (), mean=(0.5, 0.5)) == pytest.approx((0.1, -0.1))
    ledger.add(2, (0.7, 0.3), (1,))
    assert ledger.add(3, (0.9, 0.1), (0,), mean=(0.8, 0.2)) == pytest.approx((0.1, -0.1))
    assert ledger.start == (0.5, 0.5)
    assert ledger.luck == pytest.approx([0.2, -0.2])
    assert ledger.own == pytest.approx([0.1, -0.1])
    assert ledger.others == pytest.approx([0.1, -0.1])


def swings(*told: tuple[float, ...]) -> list[Swing]:
    """The swings between these chances, as versions from 2."""
    return [
        Swing(version, before, after) for version, (before, after) in enumerate(pairwise(told), 2)
    ]


def turns(found: list[Swing], errors: dict[int, float] | None = None) -> list[int]:
    """The versions of the turning points; all errors are those of seat 0."""
    by_seat = {version: (0, error) for version, error in (errors or {}).items()}
    return [one.version for one in find_turning_points(found, by_seat, ())]


def test_turning_points_are_the_few_large_swings_and_errors_in_their_order():
    quiet = swings((0.5, 0.5), (0.55, 0.45), (0.5, 0.5))
    assert turns(quiet, {2: 0.04}) == []
    assert turns(quiet, {2: 0.04, 3: 0.3}) == [3]
    told = swings((0.5, 0.5), (0.7, 0.3), (0.65, 0.35), (0.2, 0.8), (0.31, 0.69))
    assert turns(told, {3: 0.1, 4: 0.01}) == [2, 3, 4, 5]
    many = swings(*[(0.5 + sign * size / 100, 0.5 - sign * size / 100)
                    for size in range(6, 18) for sign in (1, -1)])  # fmt: skip
    assert len(turns(many)) == 10
    assert max(turns(many)) == many[-1].version
    assert 2 in turns(many, {2: 0.9})


def test_the_number_of_a_turning_point_is_what_makes_it_one():
    """An error, even if the chance moved more; the seat that decided, if others lose as much."""
    [one] = find_turning_points([Swing(2, (0.5, 0.5), (0.8, 0.2), (1,))], {2: (1, 0.12)}, ())
    assert one == TurningPoint(2, 1, -0.12, is_error=True)
    [one] = find_turning_points([Swing(2, (0.5, 0.5), (0.8, 0.2), (1,))], {2: (1, 0.01)}, ())
    assert (one.seat, one.change, one.is_error) == (1, pytest.approx(-0.3), False)
    apart = Swing(2, (0.4, 0.3, 0.3), (0.41, 0.44, 0.15), (0,))
    [one] = find_turning_points([apart], {}, ())
    assert (one.seat, one.change) == (2, pytest.approx(-0.15))
    together = Swing(2, (0.4, 0.4), (0.6, 0.6), (1,))
    [one] = find_turning_points([together], {}, ())
    assert (one.seat, one.change) == (1, pytest.approx(0.2))


def test_what_left_no_choice_is_no_turning_point(analysed):
    """However much the chances moved: the start, and the end of a turn without any other move."""
    _, told = analysed
    found = {one.version: one for one in told.turning_point_changes}
    assert [*found] == [*told.turning_points]
    free = {one.version: one for one in told.choices if one.error is not None}
    decisions = {one.version for one in told.choices}
    assert found.keys() & decisions <= free.keys()
    assert min(found) >= told.choices[0].version
    for version, one in found.items():
        if one.is_error:
            assert (one.seat, one.change) == (free[version].seat, -(free[version].error or 0.0))
        elif version in free:
            moved = free[version].after[one.seat] - free[version].before[one.seat]
            assert one.change == pytest.approx(moved)


def test_the_lead_changes_when_another_is_clearly_ahead():
    told = swings((0.5, 0.5), (0.52, 0.48), (0.495, 0.505), (0.4, 0.6), (0.6, 0.4), (1.0, 0.0))
    assert lead_changes(told) == (4, 5)
    assert lead_changes(swings((0.4,), (0.9,), (0.2,))) == ()


def scoring(*ranks: int) -> Scoring:
    return Scoring("cards", tuple(ScoreLine(seat, rank, 0, {}) for seat, rank in enumerate(ranks)))


def test_shares_of_the_win_go_to_the_first_of_those_who_did_not_resign():
    assert win_shares(scoring(1, 1, 3)) == (0.5, 0.5, 0)
    assert win_shares(scoring(1, 1, 3), frozenset({0})) == (0, 1, 0)
    assert win_shares(scoring(1, 2, 2), frozenset({0})) == (0, 0.5, 0.5)
    assert win_shares(scoring(1, 2), frozenset({0, 1})) == (1, 0)


def test_each_joint_winner_has_the_whole_win_and_no_player_who_is_out():
    won = msgspec.structs.replace(scoring(1, 1, 1), won=True)
    lost = msgspec.structs.replace(scoring(2, 2), won=False)
    assert win_shares(won) == (1, 1, 1)
    assert win_shares(won, frozenset({1})) == (1, 0, 1)
    assert win_shares(lost) == (0, 0)
    assert [won.share(seat) for seat in range(3)] == [1, 1, 1]
    assert [scoring(1, 1, 3).share(seat) for seat in range(3)] == [0.5, 0.5, 0]


TOGETHER = [table for table in tables(GAMES.values()) if table.game.is_cooperative(table.setup)]


@pytest.mark.parametrize("table", TOGETHER, ids=lambda table: table.id)
def test_a_table_that_plays_together_has_one_chance(table):
    state = record(table.game, table.seats, 0).moments[0].state
    told = chances(table.game, state, Stage(table.seats, 10, mode="any", is_cooperative=True))
    assert 0 < told[0] < 1
    assert set(told) == {told[0]}
    if table.seats > 1:
        gone = Stage(table.seats, 10, frozenset({0}), "any", is_cooperative=True)
        assert chances(table.game, state, gone)[:2] == (0, told[1])


@EVERY
def test_chances_are_shares_of_one_and_nothing_for_those_who_are_out(game):
    state = begin_match(game, 10).match.state
    seats = game.seats[0]
    told = chances(game, state, Stage(seats, 10))
    assert sum(told) == pytest.approx(1)
    assert min(told) >= 0
    out: frozenset[Seat] = frozenset({0})
    assert chances(game, state, Stage(seats, 10, out))[0] == 0
    assert sum(chances(game, state, Stage(seats, 10, out))) == pytest.approx(1)
    assert chances(game, state, Stage(seats, 10, frozenset(range(seats)))) == told
