"""The game of Tigris & Euphrates, for two to four people or bots."""

from domain.engine import rulebook
from domain.engine.game import Game
from domain.engine.legacy import Legacy
from domain.games.tigris_euphrates.bot import LEVELS
from domain.games.tigris_euphrates.events import EVENTS
from domain.games.tigris_euphrates.moves import MOVES, candidates
from domain.games.tigris_euphrates.render import svg, text
from domain.games.tigris_euphrates.rules import begin, check, play, playable_position, proceed
from domain.games.tigris_euphrates.scoring import scoring
from domain.games.tigris_euphrates.state import (
    STEPS,
    Options,
    Setup,
    State,
    blank,
    setup,
    write_position,
)
from domain.games.tigris_euphrates.view import imagine, redact, view

GAME: Game[State] = Game(
    key="tigris_euphrates",
    title="Tigris & Euphrates",
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
