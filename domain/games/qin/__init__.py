"""The game of Qin, for two to four people or bots; QIN-13.1, QIN-13.3."""

from domain.engine import rulebook
from domain.engine.game import Game, Sequels
from domain.engine.legacy import Legacy
from domain.games.qin import events
from domain.games.qin.bot import LEVELS
from domain.games.qin.moves import PlaceTile, candidates
from domain.games.qin.render import svg, text
from domain.games.qin.rules import (
    begin,
    check,
    next_options,
    planned,
    play,
    playable_position,
    proceed,
)
from domain.games.qin.scoring import penalties, scoring
from domain.games.qin.state import (
    NextTurn,
    Options,
    Refill,
    Setup,
    State,
    Turn,
    blank,
    setup,
    write_position,
)
from domain.games.qin.view import imagine, redact, view

GAME: Game[State] = Game(
    key="qin",
    title="Qin",
    rules=1,
    seats=range(2, 5),
    options=Options,
    setup_type=Setup,
    setup=setup,
    blank=blank,
    begin=begin,
    answers=Legacy(candidates, check, play, proceed, (PlaceTile,), (Turn, Refill, NextTurn)),  # type: ignore[arg-type]
    scoring=scoring,
    view=view,
    redact=redact,
    imagine=imagine,
    svg=svg,
    text=text,
    read_position=playable_position,
    write_position=write_position,
    levels=LEVELS,
    events=(
        events.FirstPlayerChosen,
        events.TilesDealt,
        events.TilePlaced,
        events.ProvinceExpanded,
        events.ProvincesAbsorbed,
        events.MajorsRemoved,
        events.RuinExpanded,
        events.ProvinceFounded,
        events.MajorCreated,
        events.VillageLost,
        events.VillageConnected,
        events.VillageConquered,
        events.TileDrawn,
        events.TurnPassed,
        events.GameEnded,
    ),
    rulebook=rulebook.read(__package__),
    sequels=Sequels(planned=planned, options=next_options, penalties=penalties),
)
