"""The game of Tigris & Euphrates, for two to four people or bots."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, defined_in
from domain.engine.resources import examples, field_notes, rulebook, win_probability
from domain.games.tigris_euphrates import scoring, symmetry, telling, touch, view
from domain.games.tigris_euphrates.bot import levels, outlook
from domain.games.tigris_euphrates.events import conflicts, course, monuments, pieces
from domain.games.tigris_euphrates.render import picture, plain
from domain.games.tigris_euphrates.rules import actions, answers, turns
from domain.games.tigris_euphrates.rules.reachable import positions
from domain.games.tigris_euphrates.state import position, setup, table

GAME = Game(
    key="tigris_euphrates",
    rulebooks=rulebook.read(__package__),
    glossary=field_notes.read(__package__),
    rules=1,
    seats=range(2, 5),
    options=setup.Options,
    setup_type=setup.Setup,
    setup=setup.setup,
    blank=table.blank,
    begin=turns.begin,
    answers=answers.ANSWERS,
    legal=actions.legal,
    draw=actions.any_of,
    events=defined_in(Event, course, pieces, conflicts, monuments),
    ends=get_args(table.EndReason),
    scoring=scoring.scoring,
    view=view.view,
    view_type=view.View,
    lasting=("board", "rows", "dynasties", "open_scores"),
    immaterial=("conflict", "dynasties", "first_player", "last"),
    symmetries=symmetry.symmetries,
    imagine=view.imagine,
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
    evaluate=outlook.with_hands,
    calibration=win_probability.read(__package__),
)
