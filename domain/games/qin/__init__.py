"""The game of Qin, for two to four people or bots: QIN-13.1, QIN-13.3."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game, SeriesRules
from domain.engine.play import Event, records_in
from domain.engine.resources.folder import load
from domain.games.qin import bot, events, sayings, scoring, symmetry, touch, view
from domain.games.qin.render import panel, picture, plain
from domain.games.qin.rules import answers, drawing, series, start, turns
from domain.games.qin.state import position, setup, table

GAME = Game(
    key="qin",
    resources=load(__package__),
    seats=range(2, 5),
    minutes=(10, 30),
    weight=2,
    options=setup.Options,
    setup=setup.setup,
    setup_for_position=position.setup_for,
    blank_state=table.blank,
    begin=turns.begin,
    answers=answers.ANSWERS,
    draw_move=drawing.draw_move,
    events=records_in(Event, events),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    score_parts=scoring.PARTS,
    view=view.view,
    static_view_fields=("board", "allotment", "colours", "joining_majors"),
    irrelevant_fields=("colours", "first_player", "last", "series"),
    symmetries=symmetry.symmetries,
    imagine=view.imagine,
    pointing=touch.POINTING,
    sayings=sayings.SAYINGS,
    draw=picture.draw,
    seat_mark=panel.seat_mark,
    render_text=plain.text,
    check_position=start.check_position,
    position_type=position.Position,
    levels=bot.LEVELS,
    evaluate=bot.evaluate,
    series=SeriesRules(
        is_series=series.has_series, next_options=series.next_options, penalties=scoring.penalties
    ),
)
