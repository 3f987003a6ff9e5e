"""Where Qin Jiushao turns first: his Location track, and the Invasion indicator: GW-14.3."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.cards.automata import PLACE_OF
from domain.games.great_wall.events.solo import TokenRaised
from domain.games.great_wall.rules import invasion
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.table import State


def number(state: State) -> int:
    """His number among the clans; he takes part: GW-14.2."""
    assert state.qin is not None
    return state.qin


def clan(state: State) -> Clan:
    """What he owns."""
    return state.clans[number(state)]


def highest_first(state: State) -> Iterator[board.Location]:
    """The Locations of his track from the top: GW-14.3."""
    return (PLACE_OF[token] for token in state.tokens)


def lowest_first(state: State) -> Iterator[board.Location]:
    """The Locations of his track from the bottom: GW-14.3."""
    return (PLACE_OF[token] for token in reversed(state.tokens))


def raise_token(p: Play[State], location: board.Location) -> None:
    """The token of a Location that he resolved goes to the top: GW-14.7."""
    token = next(one for one in p.state.tokens if PLACE_OF[one] == location)
    p.emit(TokenRaised(token, (token, *without(p.state.tokens, token))))


def indicated_first(p: Play[State]) -> tuple[board.Section, ...]:
    """The Sections in use, that of the Invasion indicator first: GW-14.8.

    Where no Horde card is left to show one, from the left to the right.
    """
    invasion.see_indicator(p)
    sections = p.state.setup.table.sections
    return tuple(sorted(sections, key=lambda section: section != p.state.indicator))
