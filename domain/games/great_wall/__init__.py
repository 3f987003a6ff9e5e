"""The game of The Great Wall, for two to five people or bots."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, records_in
from domain.engine.resources.folder import load
from domain.games.great_wall import board, imagining, prompts, scoring, touch, view
from domain.games.great_wall.bot import levels, worth
from domain.games.great_wall.events import (
    clerks,
    coop,
    course,
    effects,
    hordes,
    requests,
    soldiers,
    solo,
    supply,
)
from domain.games.great_wall.render import panel, picture, plain
from domain.games.great_wall.rules import answers, beginning, start
from domain.games.great_wall.state import position, setup, table

GAME = Game(
    key="great_wall",
    resources=load(__package__),
    rules=5,
    seats=board.PLAYERS["standard"],
    minutes=(90, 150),
    weight=4,
    seats_by_mode=board.PLAYERS,
    is_cooperative=setup.is_cooperative,
    options=setup.Options,
    setup=setup.setup,
    blank_state=table.blank,
    begin=beginning.begin,
    answers=answers.ANSWERS,
    events=records_in(
        Event, course, clerks, supply, soldiers, hordes, effects, requests, coop, solo
    ),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    score_parts=scoring.PARTS,
    view=view.view,
    static_view_fields=(
        "player_count",
        "reed",
        "slots",
        "open_resources",
        "mode",
        "shame_pool",
        "requests_to_win",
    ),
    imagine=imagining.imagine,
    pointing=touch.POINTING,
    sayings=prompts.SAYINGS,
    draw=picture.draw,
    seat_mark=panel.seat_mark,
    render_text=plain.text,
    check_position=start.check_position,
    position_type=position.Position,
    levels=levels.LEVELS,
    evaluate=worth.evaluate,
)
