"""Positions that follow from moves only, as far as a spectator can know them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from domain.analysis.positions import Variant, canonical_position
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import GameOver, Refusal
from domain.engine.game import Game, Json, decide, fold, judge, new_state, seats_to_move
from domain.engine.play import Move

MAX_DEALS = 100
"""Number of deals to try until a hand allows a move."""
DICE_TRIALS = 5
"""Number of dice to try to see whether a spectator notices a difference."""


class DependsOnChance(Exception):
    """The result of the start (0), or of the move with this number, depends on chance."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class WrongMove(Exception):
    """The move with this number, from 1, is refused; `choices` lists the kinds of moves expected
    there.
    """

    def __init__(self, number: int, refusal: Refusal, choices: Sequence[str]) -> None:
        super().__init__(number, refusal, choices)
        self.number, self.refusal, self.choices = number, refusal, choices


class Opening(msgspec.Struct, frozen=True):
    """A position that looks the same to a spectator with any dice; one representative of it.

    Its hands were dealt such that the moves which led there were possible.
    """

    variant: Variant
    decided: int
    state: Any


def start_position(variant: Variant) -> Opening:
    """The start position. Raises DependsOnChance if it varies."""
    game = variant.game
    return _same_for_all_dice(
        variant, 0, lambda dice: new_state(game, variant.setup, variant.seats, dice)
    )


def play_moves(opening: Opening, moves: Sequence[Json]) -> Opening:
    """The position after more moves. You may omit the seat where only one seat can decide.

    Raises DependsOnChance if the result may vary; WrongMove if a move is illegal with any hands.
    """
    for number, data in enumerate(moves, opening.decided + 1):
        try:
            opening = _play_move(opening, data)
        except Refusal as refusal:
            raise WrongMove(number, refusal, _answer_kinds(opening)) from refusal
    return opening


def _answer_kinds(opening: Opening) -> list[str]:
    """The kinds of moves that answer the current step."""
    answers, agenda = opening.variant.game.answers, opening.state.agenda
    return [move.__name__ for move in answers.moves_for(type(agenda[-1]))] if agenda else []


def _play_move(opening: Opening, data: Json) -> Opening:
    variant, deciding = opening.variant, seats_to_move(opening.state)
    if not deciding:
        raise GameOver
    named = data.get("seat")
    seat = named if named in deciding else deciding[0]
    move = json_codec.read_move(variant.game, seat, data)
    state = _deal_for(opening, move)

    def after(dice: Luck) -> Any:  # noqa: ANN401  any game's
        return fold(state.copy(), decide(variant.game, state, move, dice))

    return _same_for_all_dice(variant, opening.decided + 1, after)


def _deal_for(opening: Opening, move: Move) -> Any:  # noqa: ANN401  any game's
    """The position with hands that allow the move, and look the same to a spectator. Raises Refusal
    if no hands do.
    """
    game, state = opening.variant.game, opening.state
    other, dice = (move.seat + 1) % opening.variant.seats, Luck(opening.decided)
    for _ in range(MAX_DEALS):
        if _is_allowed(game, state, move):
            return state
        state = game.imagine(opening.state, other, dice)
    judge(game, state, move)
    return state


def _is_allowed(game: Game[Any], state: Any, move: Move) -> bool:  # noqa: ANN401  any game's
    try:
        judge(game, state, move)
    except Refusal:
        return False
    return True


def _same_for_all_dice(variant: Variant, decided: int, make: Callable[[Luck], Any]) -> Opening:
    """The position that `made` returns for any dice. Raises DependsOnChance if a spectator sees a
    difference.
    """
    states = [make(Luck(seed)) for seed in range(DICE_TRIALS)]
    if len({canonical_position(variant, state).key for state in states}) > 1:
        raise DependsOnChance(decided)
    state = min(states, key=lambda state: seats_to_move(state)[:1])  # seat 0 starts if any seat may
    return Opening(variant, decided, state)
