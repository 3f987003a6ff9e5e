"""Bots that play any game; the game supplies the evaluation of its positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from domain.engine.dice import Dice, Luck, shuffle
from domain.engine.game import (
    Bot,
    BotView,
    Evaluator,
    Game,
    advance,
    evaluate,
    legal_moves,
    seats_to_move,
)
from domain.engine.play import Move, Seat

MAX_RANKED_MOVES = 1000
"""Maximum number of moves that `rank_moves` evaluates, which bounds its processor time."""

MoveSequence = tuple[Any, ...]
"""Successive moves, oldest first."""

SEED_RANGE = 1 << 32
"""Number of seeds for the dice of a sample. All moves of one sample use the same seed, so that they
are compared under the same luck.
"""


class Candidate(NamedTuple):
    """A move, the state it leads to, and the value of that state for the seat that moves."""

    value: float
    move: Any
    state: Any


class Search(NamedTuple):
    """The settings of a search, and the values it has computed so far."""

    view: BotView[Any]
    evaluate: Evaluator
    cheap: Evaluator
    answers: int
    rounds: int
    values: dict[tuple[Evaluator, MoveSequence], float]


def never_late() -> bool:
    """The clock of bots without a time limit."""
    return False


def bot_view(
    game: Game[Any],
    state: Any,
    seat: Seat,
    dice: Dice,
    late: Callable[[], bool] = never_late,
) -> BotView[Any]:
    """The view of a bot at this seat. It never contains the real state."""
    return BotView(game, seat, lambda: game.imagine(state, seat, dice), dice, late)


def rank_moves(game: Game[Any], state: Any, seat: Seat, moves: Sequence[Move]) -> list[Move]:
    """These legal moves of a seat, best first by the evaluation of the game one move ahead.

    The order depends only on what the seat knows, and is the same each time. Equal moves stay in
    their order; moves beyond MAX_RANKED_MOVES come last.
    """
    view = bot_view(game, state, seat, Luck())
    imagined = view.imagine()
    values = {
        move: evaluate(game, _state_after(view, imagined, move), seat)
        for move in moves[:MAX_RANKED_MOVES]
    }
    return sorted(moves, key=lambda move: values.get(move, -inf), reverse=True)


def mix(percent: int, rare: Bot, usual: Bot) -> Bot:
    """A bot that plays like `rare` in `percent` % of its decisions, else like `usual`."""
    return lambda view: (rare if view.dice.below(100) < percent else usual)(view)


def greedy_bot(evaluate: Evaluator, cheap: Evaluator | None = None, width: int = 40) -> Bot:
    """A bot that chooses the move with the best resulting state.

    It ranks all moves by `cheap`, then compares the best `width` of them by `evaluate`.
    """
    return lambda view: shortlist(view, evaluate, cheap or evaluate, width)[0].move


def sampling_bot(
    evaluate: Evaluator,
    cheap: Evaluator,
    candidates: int,
    samples: int,
    *,
    width: int = 40,
    answers: int = 8,
    rounds: int = 1,
    halve_after: int | None = None,
    open_replies: bool = False,
) -> Bot:
    """A bot that compares its best moves by playing on from several states it considers possible.

    In each sample the seats that decide next choose a reply in the same way, from fewer moves, for
    `rounds` rounds. After every `halve_after` samples only the better half of the moves remains.
    Set `open_replies` if hidden information decides which replies exist, but not what they lead to:
    each reply is then evaluated only once.
    """

    def bot(view: BotView[Any]) -> Any:
        best = shortlist(view, evaluate, cheap, width)[:candidates]
        search = Search(view, evaluate, cheap, answers, rounds, {})
        totals = [0.0] * len(best)
        for number in range(1, samples + 1):
            values = _sample(search, best)
            if len(values) < len(best):
                break
            totals = [total + value for total, value in zip(totals, values, strict=True)]
            if halve_after and not number % halve_after:
                best, totals = _better_half(best, totals)
            if not open_replies:
                search.values.clear()
        return best[totals.index(max(totals))].move

    return bot


def shortlist(
    view: BotView[Any], evaluate: Evaluator, cheap: Evaluator, width: int
) -> list[Candidate]:
    """The legal moves, best first. Only the `width` best by `cheap` are evaluated in full."""
    glanced = _sort_by_value(view.dice, _candidates(view, cheap))
    if cheap is evaluate:
        return glanced
    looked = [
        Candidate(evaluate(state, view.seat), move, state) for _, move, state in glanced[:width]
    ]
    return _sort_by_value(view.dice, looked)


def _better_half(best: list[Candidate], totals: list[float]) -> tuple[list[Candidate], list[float]]:
    """The half of the moves with the higher totals, and these totals."""
    order = sorted(range(len(best)), key=totals.__getitem__, reverse=True)
    half = order[: (len(order) + 1) // 2]
    return [best[i] for i in half], [totals[i] for i in half]


def _candidates(view: BotView[Any], evaluate: Evaluator) -> Iterator[Candidate]:
    """The states that the legal moves lead to: at least one, and more while there is time."""
    state = view.imagine()
    for move in legal_moves(view.game, state, view.seat):
        after = _state_after(view, state, move)
        yield Candidate(evaluate(after, view.seat), move, after)
        if view.is_late():
            return


def _sort_by_value(dice: Dice, prospects: Iterable[Candidate]) -> list[Candidate]:
    """The candidates in descending order of value; equal ones in random order."""
    mixed_up = list(prospects)
    shuffle(dice, mixed_up)
    return sorted(mixed_up, key=itemgetter(0), reverse=True)


def _sample(search: Search, best: Iterable[Candidate]) -> list[float]:
    """The value of each move in one imagined state, after the replies; fewer values if time runs
    out.
    """
    view = search.view
    imagined, chance = view.imagine(), view.dice.below(SEED_RANGE)
    values: list[float] = []
    for _, move, _ in best:
        if view.is_late():
            break
        state = imagined.copy()
        _play_on(search, state, move, Luck(chance))
        values.append(search.evaluate(state, view.seat))
    return values


def _play_on(search: Search, state: Any, move: Any, dice: Dice) -> None:
    """Make the move in place, then let the other seats reply for `search.rounds` rounds."""
    advance(search.view.game, state, move, dice)
    line: MoveSequence = (move,)
    for _ in range(search.rounds):
        line = _play_replies(search, state, line, dice)


def _play_replies(search: Search, state: Any, line: MoveSequence, dice: Dice) -> MoveSequence:
    """Let each seat that has to decide move, in place. Returns the extended line."""
    game = search.view.game
    for seat in seats_to_move(state):
        lines = [(*line, move) for move in legal_moves(game, state, seat)]
        if lines:
            some = _best_lines(search, state, lines, search.cheap)[: search.answers]
            line = _best_lines(search, state, some, search.evaluate)[0]
            advance(game, state, line[-1], dice)
    return line


def _best_lines(
    search: Search, state: Any, lines: list[MoveSequence], evaluate: Evaluator
) -> list[MoveSequence]:
    """Lines in descending order of value for the seat of their last move; equal ones in random
    order.
    """
    shuffle(search.view.dice, lines)
    return sorted(lines, key=lambda line: _line_value(search, state, line, evaluate), reverse=True)


def _line_value(search: Search, state: Any, line: MoveSequence, evaluate: Evaluator) -> float:
    """The value of the last move of a line for the seat that makes it."""
    known, what = search.values, _value_key(search, line, evaluate)
    if what not in known:
        after = _state_after(search.view, state, line[-1])
        known[what] = evaluate(after, line[-1].seat)
    return known[what]


def _value_key(
    search: Search, line: MoveSequence, evaluate: Evaluator
) -> tuple[Evaluator, MoveSequence]:
    """The cache key of a value.

    For the cheap evaluation of the bot's own later moves the replies in between make no difference.
    """
    seat = search.view.seat
    if line[-1].seat == seat and evaluate is search.cheap is not search.evaluate:
        return evaluate, tuple(move for move in line if move.seat == seat)
    return evaluate, line


def _state_after(view: BotView[Any], state: Any, move: Any) -> Any:
    """The state after a move."""
    after = state.copy()
    advance(view.game, after, move, view.dice)
    return after
