"""The game of Chang Cheng, for two to four people or bots; CC-2.1."""

from importlib.resources import files

from domain.engine import rulebook
from domain.engine.game import Game
from domain.engine.play import Move
from domain.games.chang_cheng.bot import LEVELS
from domain.games.chang_cheng.events import EVENTS
from domain.games.chang_cheng.moves import MOVES, candidates
from domain.games.chang_cheng.render import svg, text
from domain.games.chang_cheng.rules import begin, check, play, playable_position, proceed
from domain.games.chang_cheng.scoring import scoring
from domain.games.chang_cheng.state import (
    STEPS,
    Options,
    Setup,
    State,
    blank,
    setup,
    write_position,
)
from domain.games.chang_cheng.view import imagine, redact, view

GAME: Game[State, Move] = Game(
    key="chang_cheng",
    title="Chang Cheng",
    rules=1,
    seats=range(2, 5),
    options=Options,
    setup_type=Setup,
    setup=setup,
    blank=blank,
    begin=begin,
    candidates=candidates,
    check=check,
    play=play,
    proceed=proceed,
    scoring=scoring,
    view=view,
    redact=redact,
    imagine=imagine,
    svg=svg,
    text=text,
    read_position=playable_position,
    write_position=write_position,
    levels=LEVELS,
    moves=MOVES,
    events=EVENTS,
    steps=STEPS,
    rulebook=rulebook.parse(files(__package__).joinpath("RULES.md").read_text(encoding="utf-8")),
)
