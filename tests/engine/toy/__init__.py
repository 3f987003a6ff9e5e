"""Toy: a small game with interrupts, sealed choices, hidden hands, a die and a bag."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, records_in
from domain.engine.resources.folder import load
from tests.engine.toy import bot, events, sayings, scoring, touch, view
from tests.engine.toy.render import picture, plain
from tests.engine.toy.rules import answers, rounds, start
from tests.engine.toy.state import setup, table

GAME = Game(
    key="toy",
    rules=2,
    resources=load(__package__),
    seats=range(2, 5),
    options=setup.Options,
    setup=setup.setup,
    blank_state=table.blank,
    begin=rounds.begin,
    answers=answers.ANSWERS,
    events=records_in(Event, events),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    score_parts=scoring.PARTS,
    view=view.view,
    static_view_fields=("rounds",),
    imagine=view.imagine,
    pointing=touch.POINTING,
    sayings=sayings.SAYINGS,
    draw=picture.draw,
    render_text=plain.text,
    check_position=start.check_position,
    levels=bot.LEVELS,
    evaluate=bot.evaluate,
)
