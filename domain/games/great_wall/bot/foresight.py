"""A bot that plays its best moves on to the end of the Year, and chooses the best of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import cycle, islice
from operator import itemgetter
from typing import NamedTuple

from domain.engine.bots import SEED_RANGE
from domain.engine.dice import Dice, Luck, shuffle
from domain.engine.game import Bot, BotView, Game, advance, legal_moves, random_move, seats_to_move
from domain.engine.play import Move, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.bot.hasty import PASS_ORDERS, appeal, is_joint_decision
from domain.games.great_wall.state.table import State

MAX_REACTIONS = 3
"""How many ways to play a tactic card, or none, the bot compares."""
MAX_LOOKAHEAD_MOVES = 250
"""Limit of moves that a bot looks ahead; a Year has some 60, or 160 when five play together."""
RANDOM_MOVES_PERCENT = 12
"""How many of 100 moves are random while the bot looks ahead."""
Evaluation = Callable[[State, Seat], float]


class Effort(NamedTuple):
    """How much time a bot spends on a move."""

    width: int  # how many of the best-looking moves are compared
    samples: int  # Years that the bot plays for it, while it is among the better ones
    halve_after: int = 2  # samples after which the bot drops the worse half of the moves
    moves: int = MAX_LOOKAHEAD_MOVES  # how many moves the bot looks ahead


def make_search_bot(evaluate: Evaluation, efforts: Mapping[str, Effort]) -> Bot:
    """A bot that compares its best-looking moves by Years in which all seats play hastily."""

    def bot(view: BotView[State]) -> Move:
        state = view.imagine()
        effort = efforts[state.setup.table.mode]
        running = _preselect(view, state, effort.width)
        totals = dict.fromkeys(range(len(running)), 0.0)
        for number in range(1, effort.samples + 1):
            if len(totals) == 1 or not _sample(view, evaluate, running, totals, effort.moves):
                break
            if number % effort.halve_after == 0:
                totals = dict(_rank(totals)[: (len(totals) + 1) // 2])
        return running[_rank(totals)[0][0]]

    return bot


def _rank(totals: dict[int, float]) -> list[tuple[int, float]]:
    return sorted(totals.items(), key=itemgetter(1), reverse=True)


def _preselect(view: BotView[State], state: State, width: int) -> list[Move]:
    """The moves with the highest appeal, without orders for later."""
    legal = legal_moves(view.game, state, view.seat)
    menu = [move for move in legal if not isinstance(move, PASS_ORDERS)]
    shuffle(view.dice, menu)
    menu.sort(key=lambda move: appeal(state, view.seat, move), reverse=True)
    if is_joint_decision(state):
        return menu[:1]
    return _pick_reactions(menu) if isinstance(menu[0], moves.PlayTactic) else menu[:width]


def _pick_reactions(menu: list[Move]) -> list[Move]:
    """No card and the best cards, repeated up to a fixed number.

    With fewer moves to compare, the time that the bot takes would reveal what is in the hand.
    """
    return list(islice(cycle((menu[-1], *menu[: MAX_REACTIONS - 1])), MAX_REACTIONS))


def _sample(
    view: BotView[State],
    evaluate: Evaluation,
    running: list[Move],
    totals: dict[int, float],
    most: int,
) -> bool:
    """Add the value of each move under the same luck. Returns whether the time was enough."""
    imagined, chance = view.imagine(), view.dice.below(SEED_RANGE)
    values: dict[int, float] = {}
    for number in totals:
        if view.is_late():
            return False
        state, dice = imagined.copy(), Luck(chance)
        advance(view.game, state, running[number], dice)
        _play_out(view.game, state, dice, most)
        values[number] = evaluate(state, view.seat)
    for number, value in values.items():
        totals[number] += value
    return True


def _play_out(game: Game[State], state: State, dice: Dice, most: int) -> None:
    """Let all seats play hastily until the next Year begins. Changes `state`."""
    slot = state.slot
    for _ in range(most):
        if state.slot != slot or not seats_to_move(state):
            return
        advance(game, state, _choose_hastily(game, state, seats_to_move(state)[0], dice), dice)


def _choose_hastily(game: Game[State], state: State, seat: Seat, dice: Dice) -> Move:
    """The move with the highest appeal, or at times a random one."""
    if dice.below(100) < RANDOM_MOVES_PERCENT:
        return random_move(game, state, seat, dice)
    menu = legal_moves(game, state, seat)
    if len(menu) == 1:
        return menu[0]
    start = dice.below(len(menu))  # so that the dice decide between equals
    best: Move = max(menu[start:] + menu[:start], key=lambda move: appeal(state, seat, move))
    return best
