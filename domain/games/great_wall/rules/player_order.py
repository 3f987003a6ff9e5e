"""The order of players, chosen by the Active player: GW-16.3."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.events.coop import PlayersOrdered
from domain.games.great_wall.rules import reed
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.coop import InOrder, OrderPlayers
from domain.games.great_wall.state.table import State


def is_chosen(state: State, clans: tuple[int, ...]) -> bool:
    """Whether the Active player chooses the order of these clans: if two are players: GW-16.3."""
    together = state.setup.table.mode == "coop"
    return together and sum(clan < state.seats for clan in clans) > 1


def ask(p: Play[State], step: InOrder) -> None:
    """Ask the Active player for the order of the clans, then let them act: GW-15.3, GW-16.3."""
    seat = reed.overlord(p.state)
    p.then(steps.Ask(step=OrderPlayers((seat,), waiting=step.clans)), step)


def offer_players(_state: State, step: OrderPlayers, seat: Seat) -> Iterator[moves.NamePlayer]:
    """Each clan that is not named yet: GW-16.3."""
    return (moves.NamePlayer(seat, clan) for clan in step.waiting)


def check_player(_state: State, step: OrderPlayers, move: moves.NamePlayer) -> None:
    """Refuse a clan that takes no part, or is already named: GW-16.3."""
    if move.player not in step.waiting:
        raise RuleBroken("GW-16.3", "wrong_player")


def name(p: Play[State], step: OrderPlayers, move: moves.NamePlayer) -> None:
    """Make this clan the next; with one clan left the order is known: GW-16.3."""
    named = (*step.named, move.player)
    waiting = tuple(clan for clan in step.waiting if clan != move.player)
    if len(waiting) > 1:
        p.then(replace(step, seats=(move.seat,), waiting=waiting, named=named))
    else:
        _settle(p, move.seat, (*named, *waiting))


def leave(p: Play[State], step: OrderPlayers, move: moves.Done) -> None:
    """Let the others follow in Tea order: GW-16.3."""
    _settle(p, move.seat, (*step.named, *step.waiting))


def _settle(p: Play[State], seat: Seat, order: tuple[int, ...]) -> None:
    """Let them act in this order: GW-16.3."""
    below: InOrder = p.state.agenda[-1]
    if order != below.clans:
        p.emit(PlayersOrdered(seat, order))
        p.state.agenda[-1] = replace(below, clans=order)
