"""Bots that play any game: what is good in it comes from the game, as an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from domain.engine.dice import Dice, Luck, shuffle
from domain.engine.game import Bot, Evaluation, Game, Sight, advance, any_move, awaited, legal_moves
from domain.engine.play import Seat

Line = tuple[Any, ...]
"""Moves that follow one another."""

CHANCES = 1 << 32
"""The seeds of chance in a sample. All moves of a sample share one, so that they are compared
under the same luck."""


class Prospect(NamedTuple):
    """A move, the state it leads to, and how good that is for the seat that makes it."""

    value: float
    move: Any
    state: Any


class Thought(NamedTuple):
    """The settings of a search, and the values of lines that it has looked at."""

    sight: Sight[Any]
    evaluate: Evaluation
    cheap: Evaluation
    answers: int
    rounds: int
    known: dict[tuple[Evaluation, Line], float]


def in_time() -> bool:
    """Never late: the clock of bots that may think as long as they like."""
    return False


def sight_of(
    game: Game[Any],
    state: Any,
    seat: Seat,
    dice: Dice,
    late: Callable[[], bool] = in_time,
) -> Sight[Any]:
    """What a bot at this seat has to go by; the state itself it never gets."""
    return Sight(game, seat, lambda: game.imagine(state, seat, dice), dice, late)


def random_bot(sight: Sight[Any]) -> Any:
    """Any legal move, each as likely as the others."""
    return any_move(sight.game, sight.imagine(), sight.seat, sight.dice)


def mixed(percent: int, rare: Bot, usual: Bot) -> Bot:
    """Plays like `rare` in `percent` of 100 cases, and like `usual` in the others."""
    return lambda sight: (rare if sight.dice.below(100) < percent else usual)(sight)


def greedy(evaluate: Evaluation, cheap: Evaluation | None = None, width: int = 40) -> Bot:
    """Makes the move after which the state is best, of the `width` best at a cheap glance."""
    return lambda sight: shortlist(sight, evaluate, cheap or evaluate, width)[0].move


def sampled(
    evaluate: Evaluation,
    cheap: Evaluation,
    candidates: int,
    samples: int,
    *,
    width: int = 40,
    answers: int = 8,
    rounds: int = 1,
    halve_after: int | None = None,
    open_replies: bool = False,
) -> Bot:
    """Weighs its best moves by the answers in several states that could be the real one.

    Whoever decides next chooses an answer in the same way, but from fewer moves; so do those who
    decide after that, for `rounds` rounds. After each `halve_after` samples only the better half
    of the moves stays in the running. `open_replies` promises that what is hidden decides only
    which answers there are, and not what comes of them: then each answer is tried only once.
    """

    def bot(sight: Sight[Any]) -> Any:
        best = shortlist(sight, evaluate, cheap, width)[:candidates]
        thought = Thought(sight, evaluate, cheap, answers, rounds, {})
        totals = [0.0] * len(best)
        for number in range(1, samples + 1):
            values = _sample(thought, best)
            if len(values) < len(best):
                break
            totals = [total + value for total, value in zip(totals, values, strict=True)]
            if halve_after and not number % halve_after:
                best, totals = _better_half(best, totals)
            if not open_replies:
                thought.known.clear()
        return best[totals.index(max(totals))].move

    return bot


def shortlist(
    sight: Sight[Any], evaluate: Evaluation, cheap: Evaluation, width: int
) -> list[Prospect]:
    """The moves that look best, best first; only those good at a cheap glance are looked at."""
    glanced = _best_first(sight.dice, _prospects(sight, cheap))
    if cheap is evaluate:
        return glanced
    looked = [
        Prospect(evaluate(state, sight.seat), move, state) for _, move, state in glanced[:width]
    ]
    return _best_first(sight.dice, looked)


def _better_half(best: list[Prospect], totals: list[float]) -> tuple[list[Prospect], list[float]]:
    """The moves that did better so far, and their totals."""
    order = sorted(range(len(best)), key=totals.__getitem__, reverse=True)
    half = order[: (len(order) + 1) // 2]
    return [best[i] for i in half], [totals[i] for i in half]


def _prospects(sight: Sight[Any], evaluate: Evaluation) -> Iterator[Prospect]:
    """Where my moves lead: all of them while there is time, one in any case."""
    state = sight.imagine()
    for move in legal_moves(sight.game, state, sight.seat):
        after = _after(sight, state, move)
        yield Prospect(evaluate(after, sight.seat), move, after)
        if sight.late():
            return


def _best_first(dice: Dice, prospects: Iterable[Prospect]) -> list[Prospect]:
    """In order of value; chance orders those that are equal."""
    mixed_up = list(prospects)
    shuffle(dice, mixed_up)
    return sorted(mixed_up, key=itemgetter(0), reverse=True)


def _sample(thought: Thought, best: Iterable[Prospect]) -> list[float]:
    """What my best moves are worth in one imagined state, once answered, while there is time."""
    sight = thought.sight
    imagined, chance = sight.imagine(), sight.dice.below(CHANCES)
    values: list[float] = []
    for _, move, _ in best:
        if sight.late():
            break
        state = imagined.copy()
        _carry_on(thought, state, move, Luck(chance))
        values.append(thought.evaluate(state, sight.seat))
    return values


def _carry_on(thought: Thought, state: Any, move: Any, dice: Dice) -> None:
    """Make the move, and let those who have to decide then do so, in place."""
    advance(thought.sight.game, state, move, dice)
    line: Line = (move,)
    for _ in range(thought.rounds):
        line = _answer(thought, state, line, dice)


def _answer(thought: Thought, state: Any, line: Line, dice: Dice) -> Line:
    """Let all who have to decide now do so, one after another, in place; the line so far."""
    game = thought.sight.game
    for seat in awaited(state):
        lines = [(*line, move) for move in legal_moves(game, state, seat)]
        if lines:
            some = _best_lines(thought, state, lines, thought.cheap)[: thought.answers]
            line = _best_lines(thought, state, some, thought.evaluate)[0]
            advance(game, state, line[-1], dice)
    return line


def _best_lines(
    thought: Thought, state: Any, lines: list[Line], evaluate: Evaluation
) -> list[Line]:
    """Lines, best first, by the value of the last move to its own seat; chance orders equals."""
    shuffle(thought.sight.dice, lines)
    return sorted(lines, key=lambda line: _worth(thought, state, line, evaluate), reverse=True)


def _worth(thought: Thought, state: Any, line: Line, evaluate: Evaluation) -> float:
    """What the last move of a line is worth to the seat that makes it."""
    known, what = thought.known, _what_counts(thought, line, evaluate)
    if what not in known:
        after = _after(thought.sight, state, line[-1])
        known[what] = evaluate(after, line[-1].seat)
    return known[what]


def _what_counts(thought: Thought, line: Line, evaluate: Evaluation) -> tuple[Evaluation, Line]:
    """The key under which a value is known.

    At a cheap glance my later moves look the same whatever the others answered in between.
    """
    seat = thought.sight.seat
    if line[-1].seat == seat and evaluate is thought.cheap is not thought.evaluate:
        return evaluate, tuple(move for move in line if move.seat == seat)
    return evaluate, line


def _after(sight: Sight[Any], state: Any, move: Any) -> Any:
    """The state that a move leads to."""
    after = state.copy()
    advance(sight.game, after, move, sight.dice)
    return after
