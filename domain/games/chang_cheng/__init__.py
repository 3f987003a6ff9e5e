"""The game of Chang Cheng, for two to four people or bots; CC-2.1."""

from domain.engine import rulebook
from domain.engine.game import Game
from domain.engine.legacy import Legacy
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

GAME: Game[State] = Game(
    key="chang_cheng",
    title="Chang Cheng",
    rules=1,
    seats=range(2, 5),
    options=Options,
    setup_type=Setup,
    setup=setup,
    blank=blank,
    begin=begin,
    answers=Legacy(candidates, check, play, proceed, MOVES, STEPS),  # type: ignore[arg-type]
    scoring=scoring,
    view=view,
    redact=redact,
    imagine=imagine,
    svg=svg,
    text=text,
    read_position=playable_position,
    write_position=write_position,
    levels=LEVELS,
    events=EVENTS,
    rulebook=rulebook.read(__package__),
)
