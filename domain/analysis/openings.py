"""Positions that follow from moves alone, as far as anybody can know them without a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from domain.analysis.positions import Variant, place_of
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import GameOver, Refused
from domain.engine.game import Game, Json, awaited, decide, fold, judge, new_state
from domain.engine.play import Move

DEALS = 100
"""In so many tries hands are dealt that have what a move needs, if there are any."""
FALLS = 5
"""So often dice fall to see whether it matters to a spectator how they do."""


class ByChance(Exception):
    """What comes of the beginning (0), or of the move of this number, is left to chance."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class WrongMove(Exception):
    """The move of this number, from 1, is refused; these kinds of moves are asked for there."""

    def __init__(self, number: int, refusal: Refused, choices: Sequence[str]) -> None:
        super().__init__(number, refusal, choices)
        self.number, self.refusal, self.choices = number, refusal, choices


class Opening(msgspec.Struct, frozen=True):
    """A position that looks the same to a spectator however the dice fell: one of those that it may
    be. Hands in it were dealt so that the moves which led there were possible.
    """

    variant: Variant
    decided: int
    state: Any


def begun(variant: Variant) -> Opening:
    """The beginning; ByChance if it looks different each time."""
    game = variant.game
    return _same(variant, 0, lambda dice: new_state(game, variant.setup, variant.seats, dice))


def played(opening: Opening, moves: Sequence[Json]) -> Opening:
    """The position after more moves; a seat need not be named where only one can decide. ByChance
    if it may look different; WrongMove if a move cannot be made, whatever hands were dealt.
    """
    for number, data in enumerate(moves, opening.decided + 1):
        try:
            opening = _moved(opening, data)
        except Refused as refusal:
            raise WrongMove(number, refusal, _asked_for(opening)) from refusal
    return opening


def _asked_for(opening: Opening) -> list[str]:
    """The kinds of moves that answer the step that is to be done."""
    answers, agenda = opening.variant.game.answers, opening.state.agenda
    return [move.__name__ for move in answers.to(type(agenda[-1]))] if agenda else []


def _moved(opening: Opening, data: Json) -> Opening:
    variant, deciding = opening.variant, awaited(opening.state)
    if not deciding:
        raise GameOver
    named = data.get("seat")
    seat = named if named in deciding else deciding[0]
    move = json_codec.read_move(variant.game, seat, data)
    state = _dealt_for(opening, move)

    def after(dice: Luck) -> Any:  # noqa: ANN401  any game's
        return fold(state.copy(), decide(variant.game, state, move, dice))

    return _same(variant, opening.decided + 1, after)


def _dealt_for(opening: Opening, move: Move) -> Any:  # noqa: ANN401  any game's
    """The same position to a spectator, with hands that allow the move; Refused if none do."""
    game, state = opening.variant.game, opening.state
    other, dice = (move.seat + 1) % opening.variant.seats, Luck(opening.decided)
    for _ in range(DEALS):
        if _allowed(game, state, move):
            return state
        state = game.imagine(opening.state, other, dice)
    judge(game, state, move)
    return state


def _allowed(game: Game[Any], state: Any, move: Move) -> bool:  # noqa: ANN401  any game's
    try:
        judge(game, state, move)
    except Refused:
        return False
    return True


def _same(variant: Variant, decided: int, made: Callable[[Luck], Any]) -> Opening:
    """What is made with dice; ByChance if a spectator sees how they fell."""
    states = [made(Luck(seed)) for seed in range(FALLS)]
    if len({place_of(variant, state).key for state in states}) > 1:
        raise ByChance(decided)
    state = min(states, key=lambda state: awaited(state)[:1])  # seat 0 begins if any may
    return Opening(variant, decided, state)
