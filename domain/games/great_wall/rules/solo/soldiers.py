"""Soldiers of Qin Jiushao, and those that he sends for the Reed Clan: GW-14.8, GW-14.12."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.play import Play
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards.automata import QIN
from domain.games.great_wall.events.solo import QinActed
from domain.games.great_wall.rules.goods import supply
from domain.games.great_wall.rules.solo import track
from domain.games.great_wall.rules.war import fighting
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.steps.soldiers import Tally
from domain.games.great_wall.state.table import State


def recruit(p: Play[State], soldier: board.Soldier, count: int) -> None:
    """Recruit up to that many soldiers, who attack at once, or are not recruited: GW-14.8."""
    tally = Tally()
    for _ in range(count):
        attack = charge(p, track.number(p.state), soldier)
        if attack is not None:
            tally = _strike(p, attack, tally)
    fighting.over(p, track.number(p.state), tally)


def charge(p: Play[State], clan: int, soldier: board.Soldier) -> moves.Attack | None:
    """How a recruit of a clan attacks, if it can, nearest to the Wall, in reading order: GW-14.8.

    In the Section that is indicated; a Spearman otherwise in the other one.
    """
    if not p.state.clans[clan].pool[board.SOLDIER_NUMBER[soldier]]:
        return None
    sections = track.indicated_first(p)
    return next(
        (
            attack
            for section in (sections[:1] if soldier == "archer" else sections)
            for attack in fighting.attacks(p.state, clan, soldier, "pool", section)
        ),
        None,
    )


def _strike(p: Play[State], attack: moves.Attack, tally: Tally) -> Tally:
    """Make an attack, with honor for each spot and no reward: GW-14.8."""
    tally = fighting.strike(p, track.number(p.state), attack, tally)
    honor = QIN.honor_per_wound * len(attack.spots)
    supply.honor(p, track.number(p.state), honor, "wounds")
    return tally


def shoot(p: Play[State], sections: Sequence[board.Section]) -> None:
    """Each of his Archers in the Firing spots of these Sections wounds once: GW-14.8."""
    qin, tally = track.number(p.state), Tally()
    for section in sections:
        for _ in range(track.clan(p.state).firing_in(section)):
            shots = fighting.attacks(p.state, qin, "archer", "firing", section)
            if shot := next(iter(shots), None):
                tally = _strike(p, shot, tally)
    fighting.over(p, qin, tally)


def shoot_in_winter(p: Play[State], step: year.QinShoots) -> None:
    """His Archers shoot like those of all others: GW-13.2, GW-14.9."""
    p.emit(QinActed("shoot", "GW-14.9"))
    shoot(p, (step.section,))
