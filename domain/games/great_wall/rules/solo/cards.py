"""The command cards of Qin Jiushao, and what he does by the cards of others: GW-14.5, GW-18.9."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.cards import ops, solo_ops
from domain.games.great_wall.cards.automata import SOLO_BY_COMMAND
from domain.games.great_wall.events.solo import Deed, PartOfCard, QinActed
from domain.games.great_wall.rules.effects import resolve
from domain.games.great_wall.rules.goods import supply
from domain.games.great_wall.rules.locations import clerks
from domain.games.great_wall.rules.reed import CLERKS_MOVED
from domain.games.great_wall.rules.solo import building, overlord, soldiers, track
from domain.games.great_wall.rules.solo import clerks as his_clerks
from domain.games.great_wall.rules.war import attacking
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.counters import value
from domain.games.great_wall.state.table import LaidCommand, State


def resolve_part(p: Play[State], laid: LaidCommand, part: steps.Part) -> None:
    """Resolve a part of his own card, or the part for others of another card: GW-14.5, GW-14.6,
    GW-14.11.
    """
    if laid.clan == track.qin_number(p.state):
        p.then(_script(p.state, laid.card, part))
    elif resolve.moves_clerks(laid.card):
        p.emit(QinActed("move", "GW-14.6", PartOfCard(laid.card, part)))
        his_clerks.move(p, CLERKS_MOVED)
    elif resolve.attacks(laid.card):
        p.emit(QinActed("shoot", "GW-14.11", PartOfCard(laid.card, part)))
        soldiers.shoot(p, track.sections_by_indicator(p)[:1], "GW-14.11")


def _script(state: State, card: str, part: steps.Part) -> Perform:
    return Perform(clan=track.qin_number(state), script=f"solo/{card}/{part}")


def _act(p: Play[State], here: Perform, does: Deed, rule: str) -> None:
    """Record by which part of which card he does something, and by which rule."""
    _, card, name, *_ = here.script.split("/")
    p.emit(QinActed(does, rule, PartOfCard(card, _PARTS[name])))


_PARTS: dict[str, steps.Part] = {"first": "first", "others": "others", "last": "last"}


def _move(p: Play[State], here: Perform, op: solo_ops.QinMove) -> None:
    """Move his clerks: GW-14.6."""
    _act(p, here, "move", "GW-14.6")
    his_clerks.move(p, op.n)


def _activate(p: Play[State], here: Perform, op: solo_ops.QinActivate) -> None:
    """Resolve Locations, full or not: GW-18.9."""
    _act(p, here, "activate", "GW-18.9")
    p.then(clerk_steps.QinActivations(left=op.n))


def _recruit(p: Play[State], here: Perform, op: solo_ops.QinRecruit) -> None:
    """Recruit soldiers, who attack: GW-14.8."""
    _act(p, here, "recruit", "GW-14.8")
    soldiers.recruit(p, op.type, op.n)


def _shoot(p: Play[State], here: Perform, _op: solo_ops.QinShoot) -> None:
    """Let his Archers in Firing spots wound: GW-14.8."""
    _act(p, here, "shoot", "GW-14.8")
    soldiers.shoot(p, p.state.setup.table.sections, "GW-14.8")


def _upgrade(p: Play[State], here: Perform, op: solo_ops.QinUpgrade) -> None:
    """Upgrade his Overseers: GW-18.9."""
    _act(p, here, "upgrade", "GW-18.9")
    building.upgrade(p, op.n)


def _build_wall(p: Play[State], here: Perform, _op: solo_ops.QinBuildWall) -> None:
    """Build a Wall part: GW-14.10."""
    _act(p, here, "build_wall", "GW-14.10")
    building.build_wall(p)


def _barricade(p: Play[State], here: Perform, op: solo_ops.QinBarricade) -> None:
    """Build Barricades: GW-18.9."""
    _act(p, here, "build_barricade", "GW-18.9")
    building.build_barricades(p, here.clan, op.n, board.BARRICADE_HONOR, "GW-18.9")


def _gain(p: Play[State], here: Perform, op: solo_ops.QinGain) -> None:
    """Get honor: GW-18.9."""
    _act(p, here, "gain", "GW-18.9")
    honor = value(p.state, here.clan, op.honor)
    supply.change_honor(p, here.clan, honor, "command_cards", "GW-18.9")


def _copy(p: Play[State], here: Perform, _op: solo_ops.QinCopy) -> None:
    """Do his card with the name of the human's card; without one, do the alternative: GW-18.9."""
    _act(p, here, "copy", "GW-18.9")
    named = (
        SOLO_BY_COMMAND[laid.card]
        for laid in p.state.track
        if laid and laid.card in SOLO_BY_COMMAND
    )
    card = next(named, None)
    if card is None or here.script.split("/")[1] == card:
        p.then(replace(here, script=f"{here.script}/{here.at}.else", at=0))
    else:
        p.then(_script(p.state, card, "first"), _script(p.state, card, "last"))


def _human_move(p: Play[State], _here: Perform, op: solo_ops.HumanMove) -> None:
    """Let the human move clerks: GW-18.9."""
    for seat in p.state.players:
        p.then(steps.Fire(trigger="other_clerk_move", clans=(seat,), context=NOTHING))
        clerks.ask_moves(p, seat, op.n, op.spread)


def _reed_move(p: Play[State], here: Perform, op: solo_ops.ReedMove) -> None:
    """Move clerks of the Reed Clan as the Overlord: GW-14.12."""
    _act(p, here, "move_reed", overlord.RULE)
    overlord.move(p, op.n)


def _human_attack(p: Play[State], _here: Perform, _op: solo_ops.HumanAttack) -> None:
    """Let the human attack with all soldiers of a Section: GW-18.9."""
    for seat in p.state.players:
        attacking.attack(p, seat, None, board.SOLDIERS, ("rest", "firing"), 1)


OPERATIONS: dict[type[ops.Operation], Callable[[Play[State], Perform, Any], None]] = {
    solo_ops.QinMove: _move,
    solo_ops.QinActivate: _activate,
    solo_ops.QinRecruit: _recruit,
    solo_ops.QinShoot: _shoot,
    solo_ops.QinUpgrade: _upgrade,
    solo_ops.QinBuildWall: _build_wall,
    solo_ops.QinBarricade: _barricade,
    solo_ops.QinGain: _gain,
    solo_ops.QinCopy: _copy,
    solo_ops.HumanMove: _human_move,
    solo_ops.ReedMove: _reed_move,
    solo_ops.HumanAttack: _human_attack,
}
"""By kind of operation, the function that does it: GW-18.9."""
