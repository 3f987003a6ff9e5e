"""What comes of a worked example when it is played."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import Game, awaited, decide, fold
from domain.engine.play import Event
from domain.engine.resources.examples import Example


class Course(NamedTuple):
    """The states before and after, what happened, and why the last move was refused, if it was."""

    before: Any
    after: Any
    events: list[Event[Any]]
    refusal: RuleBroken | None


def course(game: Game[Any], example: Example) -> Course:
    """Play an example, with dice that always fall alike; BadPosition or Refused if it is wrong."""
    planned = game.setup(json_codec.read_options(game, example.options), example.seats)
    setup = game.setup_for(planned, example.position)
    before = game.read_position(setup, example.position, example.seats)
    dice, state, events = Luck(example.key), before.copy(), list[Event[Any]]()
    for data in example.moves:
        move = json_codec.read_move(game, data.get("seat", awaited(state)[0]), data)
        try:
            happened = decide(game, state, move, dice)
        except RuleBroken as refusal:
            return Course(before, state, events, refusal)
        state, events = fold(state, happened), [*events, *happened]
    return Course(before, state, events, None)
