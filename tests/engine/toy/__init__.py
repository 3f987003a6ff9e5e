"""Toy: a small game with interrupts, sealed choices, hidden hands, a die and a bag."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, records_in
from domain.engine.resources import field_notes, rulebook
from tests.engine.toy import bot, events, sayings, scoring, touch, view
from tests.engine.toy.render import picture, plain
from tests.engine.toy.rules import answers, rounds, start
from tests.engine.toy.state import position, setup, table

GAME = Game(
    key="toy",
    rulebooks=rulebook.read(__package__),
    glossary=field_notes.read(__package__),
    rules=1,
    seats=range(2, 5),
    options=setup.Options,
    setup_type=setup.Setup,
    setup=setup.setup,
    blank_state=table.blank,
    begin=rounds.begin,
    answers=answers.ANSWERS,
    events=records_in(Event, events),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    view=view.view,
    view_type=view.View,
    static_view_fields=("rounds",),
    imagine=view.imagine,
    touches=touch.touches,
    touch_kinds=touch.KINDS,
    sayings=sayings.SAYINGS,
    texts=sayings.TEXTS,
    render_svg=picture.svg,
    render_text=plain.text,
    read_position=position.read_position,
    check_position=start.check_position,
    write_position=position.write_position,
    position_type=position.Position,
    levels=bot.LEVELS,
    evaluate=bot.evaluate,
)
