"""Plays its best moves on to the end of the Year, several times, and takes the one that is best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import cycle, islice
from operator import itemgetter
from typing import NamedTuple

from domain.engine.bots import CHANCES
from domain.engine.dice import Dice, Luck, shuffle
from domain.engine.game import Bot, Game, Sight, advance, any_move, awaited, legal_moves
from domain.engine.play import Move, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.bot.hasty import appeal, decided_together
from domain.games.great_wall.state.table import State

REACTIONS = 3
"""Ways to play a tactic card, or none, that are weighed."""
MOST = 250
"""Moves that are looked ahead at most; a Year has some 60, or 160 where five play together."""
ORDERS = (moves.LetPass, moves.AskAgain)
"""Whoever never tires of being asked needs none."""
SURPRISES = 12
"""How many of 100 moves are made by chance while looking ahead."""
Evaluation = Callable[[State, Seat], float]


class Effort(NamedTuple):
    """How much a bot thinks about a move."""

    width: int  # moves that are weighed, those that look best
    samples: int  # Years that each is played on, if it stays among the better ones
    halve_after: int = 2  # samples after which the worse half of the moves is left out
    moves: int = MOST  # that are looked ahead at most


def foresighted(evaluate: Evaluation, efforts: Mapping[str, Effort]) -> Bot:
    """Weighs the moves that look best by Years in which all go on at a glance."""

    def bot(sight: Sight[State]) -> Move:
        state = sight.imagine()
        effort = efforts[state.setup.table.mode]
        running = _best_looking(sight, state, effort.width)
        totals = dict.fromkeys(range(len(running)), 0.0)
        for number in range(1, effort.samples + 1):
            if len(totals) == 1 or not _sample(sight, evaluate, running, totals, effort.moves):
                break
            if number % effort.halve_after == 0:
                totals = dict(_ranked(totals)[: (len(totals) + 1) // 2])
        return running[_ranked(totals)[0][0]]

    return bot


def _ranked(totals: dict[int, float]) -> list[tuple[int, float]]:
    return sorted(totals.items(), key=itemgetter(1), reverse=True)


def _best_looking(sight: Sight[State], state: State, width: int) -> list[Move]:
    """The moves that look best at a glance, without orders for later."""
    legal = legal_moves(sight.game, state, sight.seat)
    menu = [move for move in legal if not isinstance(move, ORDERS)]
    shuffle(sight.dice, menu)
    menu.sort(key=lambda move: appeal(state, sight.seat, move), reverse=True)
    if decided_together(state):
        return menu[:1]
    return _reactions(menu) if isinstance(menu[0], moves.PlayTactic) else menu[:width]


def _reactions(menu: list[Move]) -> list[Move]:
    """No card and the best cards, again and again: else time would tell what is in the hand."""
    return list(islice(cycle((menu[-1], *menu[: REACTIONS - 1])), REACTIONS))


def _sample(
    sight: Sight[State],
    evaluate: Evaluation,
    running: list[Move],
    totals: dict[int, float],
    most: int,
) -> bool:
    """Add what each move comes to under the same luck; whether there was time for all of them."""
    imagined, chance = sight.imagine(), sight.dice.below(CHANCES)
    values: dict[int, float] = {}
    for number in totals:
        if sight.late():
            return False
        state, dice = imagined.copy(), Luck(chance)
        advance(sight.game, state, running[number], dice)
        _go_on(sight.game, state, dice, most)
        values[number] = evaluate(state, sight.seat)
    for number, value in values.items():
        totals[number] += value
    return True


def _go_on(game: Game[State], state: State, dice: Dice, most: int) -> None:
    """Let all play at a glance until the next Year begins, in place."""
    slot = state.slot
    for _ in range(most):
        if state.slot != slot or not awaited(state):
            return
        advance(game, state, _glance(game, state, awaited(state)[0], dice), dice)


def _glance(game: Game[State], state: State, seat: Seat, dice: Dice) -> Move:
    """The move that looks best, or now and then any move."""
    if dice.below(100) < SURPRISES:
        return any_move(game, state, seat, dice)
    menu = legal_moves(game, state, seat)
    if len(menu) == 1:
        return menu[0]
    start = dice.below(len(menu))  # so that chance decides between equals
    best: Move = max(menu[start:] + menu[:start], key=lambda move: appeal(state, seat, move))
    return best
