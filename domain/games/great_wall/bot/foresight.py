"""Plays its best moves on to the end of the Year, several times, and takes the one that is best."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from operator import itemgetter

from domain.engine.bots import CHANCES
from domain.engine.dice import Dice, Luck, choose, shuffle
from domain.engine.game import Bot, Game, Sight, advance, awaited, legal_moves
from domain.engine.play import Move, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.bot.hasty import appeal
from domain.games.great_wall.state.table import State

MOST = 250
"""Moves that are looked ahead at most; a Year has some 60."""
SURPRISES = 12
"""How many of 100 moves are made by chance while looking ahead."""
ORDERS = (moves.LetPass, moves.AskAgain)
"""What a bot has no use for: it can be asked as often as need be."""
Evaluation = Callable[[State, Seat], float]


def foresighted(evaluate: Evaluation, candidates: int, samples: int) -> Bot:
    """Weighs the moves that look best by Years in which all go on at a glance.

    After each second sample the worse half of them is left out.
    """

    def bot(sight: Sight[State]) -> Move:
        running = _best_looking(sight, candidates)
        totals = dict.fromkeys(range(len(running)), 0.0)
        for number in range(1, samples + 1):
            if len(totals) == 1 or not _sample(sight, evaluate, running, totals):
                break
            if number % 2 == 0:
                totals = dict(_ranked(totals)[: (len(totals) + 1) // 2])
        return running[_ranked(totals)[0][0]]

    return bot


def _ranked(totals: dict[int, float]) -> list[tuple[int, float]]:
    return sorted(totals.items(), key=itemgetter(1), reverse=True)


def _best_looking(sight: Sight[State], candidates: int) -> list[Move]:
    """The moves that look best at a glance.

    Of sealed ones always the same number, if need be some of them again: how long a bot thinks
    must not tell what it holds.
    """
    state = sight.imagine()
    legal = legal_moves(sight.game, state, sight.seat)
    menu = [move for move in legal if not isinstance(move, ORDERS)]
    shuffle(sight.dice, menu)
    menu.sort(key=lambda move: appeal(state, sight.seat, move), reverse=True)
    best = menu[:candidates]
    return list(islice(cycle(best), candidates)) if best[0].sealed else best


def _sample(
    sight: Sight[State], evaluate: Evaluation, running: list[Move], totals: dict[int, float]
) -> bool:
    """Add what each move comes to under the same luck; whether there was time for all of them."""
    imagined, chance = sight.imagine(), sight.dice.below(CHANCES)
    values: dict[int, float] = {}
    for number in totals:
        if sight.late():
            return False
        state, dice = imagined.copy(), Luck(chance)
        advance(sight.game, state, running[number], dice)
        _go_on(sight.game, state, dice)
        values[number] = evaluate(state, sight.seat)
    for number, value in values.items():
        totals[number] += value
    return True


def _go_on(game: Game[State], state: State, dice: Dice) -> None:
    """Let all play at a glance until the next Year begins, in place."""
    slot = state.slot
    for _ in range(MOST):
        if state.slot != slot or not awaited(state):
            return
        seat = awaited(state)[0]
        menu = legal_moves(game, state, seat)
        advance(game, state, _glance(state, seat, menu, dice), dice)


def _glance(state: State, seat: Seat, menu: list[Move], dice: Dice) -> Move:
    """The move that looks best, or now and then any move."""
    if len(menu) == 1 or dice.below(100) < SURPRISES:
        return choose(dice, menu)
    start = dice.below(len(menu))  # so that chance decides between equals
    turned = menu[start:] + menu[:start]
    return max(turned, key=lambda move: appeal(state, seat, move))
