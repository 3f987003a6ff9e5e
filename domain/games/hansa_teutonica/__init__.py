"""The game of Hansa Teutonica, for two to five people or bots."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, defined_in
from domain.engine.resources import examples, field_notes, rulebook, win_probability
from domain.games.hansa_teutonica import scoring, symmetry, telling, touch, view
from domain.games.hansa_teutonica.bot import levels, worth
from domain.games.hansa_teutonica.events import bonuses, course, pieces, routes
from domain.games.hansa_teutonica.render import picture, plain
from domain.games.hansa_teutonica.rules import answers, legal, turns
from domain.games.hansa_teutonica.rules.reachable import positions
from domain.games.hansa_teutonica.state import position, setup, table

GAME = Game(
    key="hansa_teutonica",
    rulebooks=rulebook.read(__package__),
    glossary=field_notes.read(__package__),
    rules=2,
    seats=range(2, 6),
    options=setup.Options,
    setup_type=setup.Setup,
    setup=setup.setup,
    blank=table.blank,
    begin=turns.begin,
    answers=answers.ANSWERS,
    legal=legal.legal,
    events=defined_in(Event, course, pieces, routes, bonuses),
    ends=get_args(table.EndReason),
    scoring=scoring.scoring,
    view=view.view,
    view_type=view.View,
    lasting=("map", "provinces", "soldiers", "colours", "options"),
    immaterial=("colours", "first_player", "last", "turn"),
    symmetries=symmetry.symmetries,
    touches=touch.touches,
    meant=touch.MEANT,
    touch_kinds=touch.KINDS,
    within=touch.within,
    sayings=telling.SAYINGS,
    texts=telling.TEXTS,
    svg=picture.svg,
    text=plain.text,
    read_position=positions.read_position,
    write_position=position.write_position,
    position_type=position.Position,
    levels=levels.LEVELS,
    examples=examples.read(__package__),
    evaluate=worth.evaluate,
    calibration=win_probability.read(__package__),
)
