"""The game of Chang Cheng, for two to four people or bots: CC-2.1."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, records_in
from domain.engine.resources.folder import load
from domain.games.chang_cheng import sayings, scoring, symmetry, touch, view
from domain.games.chang_cheng.bot import evaluation, levels
from domain.games.chang_cheng.events import cards, course, wall
from domain.games.chang_cheng.render import panel, picture, plain
from domain.games.chang_cheng.rules import answers, beginning, start
from domain.games.chang_cheng.state import position, setup, table

GAME = Game(
    key="chang_cheng",
    resources=load(__package__),
    rules=3,
    seats=range(2, 5),
    minutes=(30, 45),
    weight=2,
    options=setup.Options,
    setup=setup.setup,
    setup_for_position=position.setup_for,
    blank_state=table.blank,
    begin=beginning.begin,
    answers=answers.ANSWERS,
    events=records_in(Event, course, wall, cards),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    view=view.view,
    static_view_fields=("face", "colours"),
    irrelevant_fields=("boards", "colours", "first_player", "last", "turn"),
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
    evaluate=evaluation.evaluate,
)
