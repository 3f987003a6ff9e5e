"""Toy: a small game with interrupts, sealed choices, hidden hands, a die and a bag."""

from __future__ import annotations

from pathlib import Path

from domain.engine import rulebook
from domain.engine.game import Game
from tests.engine.toy import board, bot, events, moves, render, rules, scoring, state, view

GAME = Game(
    key="toy",
    title="Toy",
    rules=1,
    seats=range(2, 5),
    options=board.Options,
    setup_type=board.Setup,
    setup=board.setup,
    blank=state.blank,
    begin=rules.begin,
    candidates=moves.candidates,
    check=rules.check,
    play=rules.play,
    proceed=rules.proceed,
    scoring=scoring.scoring,
    view=view.view,
    redact=view.redact,
    imagine=view.imagine,
    svg=render.svg,
    text=render.text,
    read_position=state.read_position,
    write_position=state.write_position,
    levels=bot.LEVELS,
    moves=moves.MOVES,
    events=events.EVENTS,
    steps=state.STEPS,
    rulebook=rulebook.parse((Path(__file__).parent / "RULES.md").read_text()),
)
