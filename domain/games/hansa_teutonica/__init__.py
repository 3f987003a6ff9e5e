"""The game of Hansa Teutonica, for two to five people or bots."""

from importlib.resources import files

from domain.engine import rulebook
from domain.engine.game import Game
from domain.games.hansa_teutonica.bot import LEVELS
from domain.games.hansa_teutonica.events import EVENTS
from domain.games.hansa_teutonica.moves import MOVES, Choice, candidates
from domain.games.hansa_teutonica.render import svg, text
from domain.games.hansa_teutonica.rules import begin, check, play, playable_position, proceed
from domain.games.hansa_teutonica.scoring import scoring
from domain.games.hansa_teutonica.state import (
    CheckEnd,
    Deploying,
    GreenOffice,
    Moving,
    NextTurn,
    Options,
    PlaceMarkers,
    PlacePawn,
    Refill,
    Relocate,
    Removing,
    Setup,
    State,
    Turn,
    blank,
    setup,
    write_position,
)
from domain.games.hansa_teutonica.view import imagine, redact, view

GAME: Game[State, Choice] = Game(
    key="hansa_teutonica",
    title="Hansa Teutonica",
    rules=1,
    seats=range(2, 6),
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
    steps=(
        Turn,
        Relocate,
        Moving,
        Removing,
        Deploying,
        GreenOffice,
        PlaceMarkers,
        PlacePawn,
        CheckEnd,
        Refill,
        NextTurn,
    ),
    rulebook=rulebook.parse(files(__package__).joinpath("RULES.md").read_text(encoding="utf-8")),
)
