"""Soldiers of Qin Jiushao, and those of the Reed Clan that he commands: GW-14.8, GW-14.12."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.play import Play
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards.automata import QIN
from domain.games.great_wall.events.solo import QinActed
from domain.games.great_wall.rules.goods import supply
from domain.games.great_wall.rules.solo import track
from domain.games.great_wall.rules.war import fighting
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.soldiers import Tally
from domain.games.great_wall.state.table import State


def recruit(p: Play[State], soldier: board.Soldier, count: int) -> None:
    """Recruit up to that many soldiers who attack at once; without an attack, none: GW-14.8."""
    tally = Tally()
    for _ in range(count):
        attack = find_charge(p, track.qin_number(p.state), soldier)
        if attack is not None:
            tally = _strike(p, attack, tally, "GW-14.8")
    fighting.plan_end(p, track.qin_number(p.state), tally)


def find_charge(p: Play[State], clan: int, soldier: board.Soldier) -> moves.Attack | None:
    """The attack of a recruit: nearest to the Wall, in reading order; None without one: GW-14.8.

    It goes to the indicated Section. A Spearman that cannot attack there goes to the other one.
    """
    if not p.state.clans[clan].pool[board.SOLDIER_NUMBER[soldier]]:
        return None
    sections = track.sections_by_indicator(p)
    return next(
        (
            attack
            for section in (sections[:1] if soldier == "archer" else sections)
            for attack in fighting.find_attacks(p.state, clan, soldier, "pool", section)
        ),
        None,
    )


def _strike(p: Play[State], attack: moves.Attack, tally: Tally, rule: str) -> Tally:
    """Make an attack by this rule, with honor for each spot and no reward: GW-14.8."""
    tally = fighting.strike(p, track.qin_number(p.state), attack, tally, rule)
    honor = QIN.honor_per_wound * len(attack.spots)
    supply.change_honor(p, track.qin_number(p.state), honor, "wounds", "GW-14.8")
    return tally


def shoot(p: Play[State], sections: Sequence[board.Section], rule: str) -> None:
    """Let each of his Archers in the Firing spots of these Sections wound once, by this rule."""
    qin, tally = track.qin_number(p.state), Tally()
    for section in sections:
        for _ in range(track.qin_clan(p.state).firing_in(section)):
            shots = fighting.find_attacks(p.state, qin, "archer", "firing", section)
            if shot := next(iter(shots), None):
                tally = _strike(p, shot, tally, rule)
    fighting.plan_end(p, qin, tally)


def shoot_in_winter(p: Play[State], step: steps.QinShoots) -> None:
    """Let his Archers shoot, as those of all others do: GW-13.2, GW-14.9."""
    p.emit(QinActed("shoot", "GW-14.9"))
    shoot(p, (step.section,), "GW-14.9")
