"""Qin Jiushao at the setup, in Fall and in Spring: GW-14.2 to GW-14.5, GW-14.13."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.dice import choose, shuffle
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.cards.automata import QIN, TOKENS
from domain.games.great_wall.events import solo
from domain.games.great_wall.events.clerks import AdvisorsDiscarded
from domain.games.great_wall.events.course import CommandPlaced
from domain.games.great_wall.rules.locations import embassy
from domain.games.great_wall.rules.solo import track
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State


def lay_track(p: Play[State]) -> None:
    """Lay the tokens of his Location track in random order: GW-14.3."""
    tokens = list(TOKENS)
    shuffle(p.dice, tokens)
    p.emit(solo.LocationTrackLaid(tuple(tokens)))


def lay_supporters(p: Play[State]) -> None:
    """Lay advisors face down under his card: GW-14.3."""
    left = list(p.state.advisor_deck)
    laid = tuple(left.pop(p.dice.below(len(left))) for _ in range(QIN.start_supporting))
    p.emit(solo.SupportersLaid(track.qin_number(p.state), laid))


def draw(p: Play[State]) -> None:
    """Draw his top command card, after all chose theirs: GW-14.5, GW-1.4."""
    qin = track.qin_number(p.state)
    if not p.state.solo_deck:
        p.emit(solo.SoloCommandsReshuffled(qin, p.state.clans[qin].discard))
    p.emit(solo.SoloCommandDrawn(qin, choose(p.dice, p.state.solo_deck)))


def place_command(p: Play[State], _step: steps.PlaceQinCommand) -> None:
    """Put his card on the leftmost free slot: GW-14.5."""
    card = track.qin_clan(p.state).shown
    assert card is not None
    p.emit(CommandPlaced(track.qin_number(p.state), card, p.state.track.index(None), "GW-14.5"))


def offer_advisors(
    _state: State, step: steps.ChooseSupporter, seat: Seat
) -> Iterator[moves.GiveAdvisor]:
    """Each of the advisors that leave the track: GW-14.13."""
    return (moves.GiveAdvisor(seat, advisor) for advisor in step.advisors)


def check_advisor(_state: State, step: steps.ChooseSupporter, move: moves.GiveAdvisor) -> None:
    """Refuse an advisor that stays on the track: GW-14.13."""
    if move.advisor not in step.advisors:
        raise RuleBroken("GW-14.13", "not_leaving")


def give(p: Play[State], step: steps.ChooseSupporter, move: moves.GiveAdvisor) -> None:
    """Move this advisor under his card, discard the other, and fill the track: GW-14.13, GW-5.5."""
    p.emit(solo.AdvisorGiven(move.seat, track.qin_number(p.state), move.advisor))
    if rest := tuple(one for one in step.advisors if one != move.advisor):
        p.emit(AdvisorsDiscarded(rest, "GW-14.13"))
    embassy.fill_track(p, "GW-14.13")
