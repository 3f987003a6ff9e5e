"""The Event step at the end of a Winter of the cooperative game: GW-16.14."""

from __future__ import annotations

from domain.engine.dice import choose
from domain.engine.play import Play
from domain.games.great_wall.events.coop import EventRevealed
from domain.games.great_wall.state.agenda.coop import EventStep
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.table import State


def begin(p: Play[State], _step: EventStep) -> None:
    """Reveal an event; the highest player in Tea order makes its choices: GW-16.14."""
    if p.state.event_deck:
        event = choose(p.dice, p.state.event_deck)
        p.emit(EventRevealed(event))
        p.then(Perform(clan=p.state.players[0], script=f"events/{event}/immediate"))
