"""The game of Tigris & Euphrates, for two to four people or bots."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, records_in
from domain.engine.resources.folder import load
from domain.games.tigris_euphrates import sayings, scoring, symmetry, touch, view
from domain.games.tigris_euphrates.bot import levels, outlook
from domain.games.tigris_euphrates.events import conflicts, course, monuments, pieces
from domain.games.tigris_euphrates.render import panel, picture, plain
from domain.games.tigris_euphrates.rules import answers, drawing, start, turns
from domain.games.tigris_euphrates.state import position, setup, table

GAME = Game(
    key="tigris_euphrates",
    rules=2,
    resources=load(__package__),
    seats=range(2, 5),
    minutes=(60, 90),
    weight=4,
    options=setup.Options,
    setup=setup.setup,
    blank_state=table.blank,
    begin=turns.begin,
    answers=answers.ANSWERS,
    draw_move=drawing.draw_move,
    events=records_in(Event, course, pieces, conflicts, monuments),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    score_parts=scoring.PARTS,
    view=view.view,
    static_view_fields=("board", "rows", "dynasties", "open_scores"),
    irrelevant_fields=("conflict", "dynasties", "first_player", "last"),
    symmetries=symmetry.symmetries,
    imagine=view.imagine,
    pointing=touch.POINTING,
    sayings=sayings.SAYINGS,
    draw=picture.draw,
    seat_mark=panel.seat_mark,
    render_text=plain.text,
    check_position=start.check_position,
    position_type=position.Position,
    levels=levels.LEVELS,
    evaluate=outlook.with_hands,
)
