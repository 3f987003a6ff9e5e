"""The game of Tigris & Euphrates, for two to four people or bots."""

from __future__ import annotations

from typing import get_args

from domain.engine.game import Game
from domain.engine.play import Event, records_in
from domain.engine.resources import examples, field_notes, rulebook, win_probability
from domain.games.tigris_euphrates import sayings, scoring, symmetry, touch, view
from domain.games.tigris_euphrates.bot import levels, outlook
from domain.games.tigris_euphrates.events import conflicts, course, monuments, pieces
from domain.games.tigris_euphrates.render import picture, plain
from domain.games.tigris_euphrates.rules import actions, answers, start, turns
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
    blank_state=table.blank,
    begin=turns.begin,
    answers=answers.ANSWERS,
    legal_moves=actions.legal,
    draw_move=actions.any_of,
    events=records_in(Event, course, pieces, conflicts, monuments),
    end_reasons=get_args(table.EndReason),
    scoring=scoring.scoring,
    view=view.view,
    view_type=view.View,
    static_view_fields=("board", "rows", "dynasties", "open_scores"),
    irrelevant_fields=("conflict", "dynasties", "first_player", "last"),
    symmetries=symmetry.symmetries,
    imagine=view.imagine,
    touches=touch.touches,
    implied_moves=touch.IMPLIED_MOVES,
    touch_kinds=touch.KINDS,
    part_of=touch.within,
    sayings=sayings.SAYINGS,
    texts=sayings.TEXTS,
    render_svg=picture.svg,
    render_text=plain.text,
    read_position=position.read_position,
    check_position=start.check_position,
    write_position=position.write_position,
    position_type=position.Position,
    levels=levels.LEVELS,
    examples=examples.read(__package__),
    evaluate=outlook.with_hands,
    calibration=win_probability.read(__package__),
)
