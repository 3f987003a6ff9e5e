"""Clerks of Qin Jiushao: where they go, and what they do there: GW-14.6, GW-14.7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.events.clerks import ClerkMoved
from domain.games.great_wall.events.solo import PartOfCard, QinActed, QinGathered
from domain.games.great_wall.rules.reed import CARD, CLERKS_MOVED
from domain.games.great_wall.rules.solo import soldiers, track
from domain.games.great_wall.state.agenda import clerks
from domain.games.great_wall.state.table import State


def move(p: Play[State], count: int) -> None:
    """Move that many clerks up his track, each to the next Location with a free slot: GW-14.6."""
    walk, at = tuple(track.lowest_first(p.state)), 0
    for _ in range(count):
        free = (way for way in range(at, at + len(walk)) if not _is_full(p.state, walk, way))
        at = next(free, -1)
        goal = walk[at % len(walk)]
        origins = tuple(_origins(p.state, goal))
        if at < 0 or not origins:
            return
        p.emit(ClerkMoved(track.qin_number(p.state), origins[0], goal, "GW-14.6"))
        at += 1


def _is_full(state: State, walk: Sequence[board.Location], way: int) -> bool:
    return state.is_full(walk[way % len(walk)])


def _origins(state: State, goal: board.Location) -> Iterator[board.Location | None]:
    """The pool; once it is empty, Locations his clerks can leave, the highest first: GW-14.6."""
    clan = track.qin_clan(state)
    if clan.clerks_pool:
        yield None
        return
    for location in track.highest_first(state):
        if clan.at(location) and location != goal and not state.is_full(location):
            yield location


def move_on_reeds_turn(p: Play[State], _step: clerks.MoveQinClerks) -> None:
    """Move his clerks, as all others do on the turn of the Reed Clan: GW-14.6, GW-15.5."""
    p.emit(QinActed("move", "GW-14.6", PartOfCard(CARD, "others")))
    move(p, CLERKS_MOVED)


def resolve(p: Play[State], location: board.Location) -> None:
    """Add honor for his Overseer, or Spearmen; then raise the token of the Location: GW-14.7,
    GW-14.8.
    """
    clan, count = track.qin_clan(p.state), track.qin_clan(p.state).at(location)
    if location in board.PRODUCTION:
        level = clan.level(location)
        number = track.qin_number(p.state)
        p.emit(QinGathered(number, location, count, level, level * count))
    else:
        p.emit(QinActed("recruit", "GW-14.8"))
        soldiers.recruit(p, "spearman", count)
    track.raise_token(p, location)


def choose_first(state: State, waiting: Sequence[board.Location]) -> board.Location | None:
    """The first of these Locations with his clerks, in the order of his turn: GW-14.7, GW-14.15."""
    lowest = state.setup.activation_order == "lowest_first"
    order = track.lowest_first(state) if lowest else track.highest_first(state)
    clan = track.qin_clan(state)
    return next((one for one in order if one in waiting and clan.at(one)), None)


def activate(p: Play[State], step: clerks.QinActivations) -> None:
    """Resolve the lowest Location with his clerks, full or not: GW-18.9."""
    clan = track.qin_clan(p.state)
    place = next((one for one in track.lowest_first(p.state) if clan.at(one)), None)
    if place is None:
        return
    if step.left > 1:
        p.then(clerks.QinActivations(left=step.left - 1))
    p.then(clerks.ResolveLocation(location=place, advanced=True))
