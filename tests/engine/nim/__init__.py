"""Nim with one heap: a game that says no more than a game must say."""

from __future__ import annotations

from domain.engine.game import Game
from domain.engine.resources.folder import load
from tests.engine.nim import rules, table

GAME = Game(
    key="nim",
    resources=load(__package__),
    seats=range(2, 3),
    blank_state=table.blank,
    begin=rules.begin,
    answers=rules.ANSWERS,
    events=(table.StonesTaken,),
    scoring=rules.scoring,
    view=table.view,
    draw=table.draw,
    render_text=table.text,
)
