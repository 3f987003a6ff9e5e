"""The preferences of Qin Jiushao: his Location track, and the Invasion indicator: GW-14.3."""

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


def qin_number(state: State) -> int:
    """His number among the clans. He must take part: GW-14.2."""
    assert state.qin is not None
    return state.qin


def qin_clan(state: State) -> Clan:
    """His clan."""
    return state.clans[qin_number(state)]


def highest_first(state: State) -> Iterator[board.Location]:
    """The Locations of his track from the top: GW-14.3."""
    return (PLACE_OF[token] for token in state.tokens)


def lowest_first(state: State) -> Iterator[board.Location]:
    """The Locations of his track from the bottom: GW-14.3."""
    return (PLACE_OF[token] for token in reversed(state.tokens))


def raise_token(p: Play[State], location: board.Location) -> None:
    """Move the token of a resolved Location to the top: GW-14.7."""
    token = next(one for one in p.state.tokens if PLACE_OF[one] == location)
    p.emit(TokenRaised(token, (token, *without(p.state.tokens, token))))


def sections_by_indicator(p: Play[State]) -> tuple[board.Section, ...]:
    """The Sections in use, that of the Invasion indicator first: GW-14.8.

    Without a Horde card to show one, from left to right.
    """
    invasion.see_indicator(p)
    sections = p.state.setup.table.sections
    return tuple(sorted(sections, key=lambda section: section != p.state.indicator))
