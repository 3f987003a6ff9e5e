"""The game of Hansa Teutonica, for two to five people or bots."""

from domain.engine import rulebook
from domain.engine.game import Game
from domain.engine.legacy import Legacy
from domain.games.hansa_teutonica.bot import LEVELS
from domain.games.hansa_teutonica.events import EVENTS
from domain.games.hansa_teutonica.moves import MOVES, candidates
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

GAME: Game[State] = Game(
    key="hansa_teutonica",
    title="Hansa Teutonica",
    rules=1,
    seats=range(2, 6),
    options=Options,
    setup_type=Setup,
    setup=setup,
    blank=blank,
    begin=begin,
    answers=Legacy(
        candidates,
        check,
        play,
        proceed,
        MOVES,
        (
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
    ),  # type: ignore[arg-type]
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
