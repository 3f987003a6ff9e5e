"""Plays a worked example."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import Game, decide, fold, seats_to_move
from domain.engine.play import Event
from domain.engine.resources.examples import Example


class ExampleRun(NamedTuple):
    """The states before and after, the events, and the refusal of the last move, if any."""

    before: Any
    after: Any
    events: list[Event[Any]]
    refusal: RuleBroken | None


def run_example(game: Game[Any], example: Example) -> ExampleRun:
    """Play an example with fixed dice. Raises BadPosition or Refusal if the example is wrong."""
    planned = game.setup(json_codec.read_options(game, example.options), example.seats)
    setup = game.setup_for_position(planned, example.position)
    before = game.read_position(setup, example.position, example.seats)
    dice, state, events = Luck(example.key), before.copy(), list[Event[Any]]()
    for data in example.moves:
        move = json_codec.read_move(game, data.get("seat", seats_to_move(state)[0]), data)
        try:
            happened = decide(game, state, move, dice)
        except RuleBroken as refusal:
            return ExampleRun(before, state, events, refusal)
        state, events = fold(state, happened), [*events, *happened]
    return ExampleRun(before, state, events, None)
