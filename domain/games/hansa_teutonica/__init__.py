"""The game of Hansa Teutonica, for two to five people or bots."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, records_in
from domain.engine.resources.folder import load
from domain.games.hansa_teutonica import sayings, scoring, symmetry, touch, view
from domain.games.hansa_teutonica.bot import levels, worth
from domain.games.hansa_teutonica.events import bonuses, course, pieces, routes
from domain.games.hansa_teutonica.render import panel, picture, plain
from domain.games.hansa_teutonica.rules import answers, start, turns
from domain.games.hansa_teutonica.state import position, setup, table

GAME = Game(
    key="hansa_teutonica",
    resources=load(__package__, sayings.NAMES),
    rules=4,
    seats=range(2, 6),
    minutes=(45, 90),
    weight=3,
    options=setup.Options,
    setup=setup.setup,
    blank_state=table.blank,
    begin=turns.begin,
    answers=answers.ANSWERS,
    events=records_in(Event, course, pieces, routes, bonuses),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    score_parts=scoring.PARTS,
    view=view.view,
    static_view_fields=("map", "provinces", "soldiers", "colours", "options"),
    irrelevant_fields=("colours", "first_player", "last", "turn"),
    symmetries=symmetry.symmetries,
    pointing=touch.POINTING,
    sayings=sayings.SAYINGS,
    draw=picture.draw,
    seat_mark=panel.seat_mark,
    render_text=plain.text,
    check_position=start.check_position,
    position_type=position.Position,
    levels=levels.LEVELS,
    evaluate=worth.evaluate,
)
