"""Summer: income, Shame, command cards: GW-12.1 to GW-12.4."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import course
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import production
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.context import Choice, Context
from domain.games.great_wall.state.table import State


def begin(p: Play[State], _step: steps.Summer) -> None:
    """Plan all steps of Summer, each in Tea order: GW-3.1, GW-12.1 to GW-12.4."""
    p.emit(course.SeasonBegan("summer", p.state.year))
    p.then(*_plan(p.state))


def _plan(state: State) -> Iterator[Step]:
    """The steps of a Summer, by seats in Tea order: GW-12.1 to GW-12.4.

    In the cooperative game players do not take command cards back: GW-16.4.
    """
    seats = state.players
    yield from (steps.Income(seat=seat) for seat in seats)
    yield from (steps.ShedShame(seat=seat) for seat in seats)
    yield steps.ClearTrack()
    if not state.coop:
        yield from (steps.AskReclaim(seat=seat) for seat in seats)
    yield steps.Fall()


def take_income(p: Play[State], step: steps.Income) -> None:
    """Give the seat what its Overseers yield, by their levels; abilities answer: GW-12.1."""
    clan = p.state.clans[step.seat]
    p.then(steps.Fire(trigger="income", clans=(step.seat,), context=Context()))
    if modifiers.can_have_overseers(p.state, step.seat):
        more = modifiers.income_bonus(p.state, step.seat)
        for location in board.PRODUCTION:
            if level := clan.level(location):
                production.harvest(p, step.seat, location, max(0, level + more), "GW-12.1")


def clear_track(p: Play[State], _step: steps.ClearTrack) -> None:
    """Move command cards to the discards of their owners: GW-12.3."""
    laid = (one for one in p.state.track if one and one.clan != p.state.reed)
    p.emit(course.TrackCleared(tuple(laid)))


def ask_reclaim(p: Play[State], step: steps.AskReclaim) -> None:
    """Ask a seat with command cards in the discard: GW-12.4."""
    if p.state.clans[step.seat].discard:
        p.then(steps.Reclaim((step.seat,)))


def take_back(p: Play[State], _step: steps.Reclaim, move: moves.ReclaimCards) -> None:
    """Take all command cards back from the discard: GW-12.4."""
    p.emit(course.CommandsReclaimed(move.seat, p.state.clans[move.seat].discard))
    _fire(p, move.seat, "reclaim")


def take_honor(p: Play[State], _step: steps.Reclaim, move: moves.TakeHonor) -> None:
    """Leave them in the discard, and take honor: GW-12.4."""
    cards = len(p.state.clans[move.seat].discard)
    p.emit(course.CommandsLeft(move.seat, cards, cards * board.UNRECLAIMED_HONOR))
    _fire(p, move.seat, "honor")


def _fire(p: Play[State], seat: Seat, choice: Choice) -> None:
    context = Context(choice=choice)
    p.then(steps.Fire(trigger="reclaim_choice", clans=(seat,), context=context))


def reclaim(p: Play[State], seat: Seat, count: int | None, rule: str) -> None:
    """Let a seat take up to that many command cards back, or all, by this rule."""
    discard = len(p.state.clans[seat].discard)
    if left := discard if count is None else min(count, discard):
        p.then(steps.Ask(step=steps.ReclaimSome((seat,), left=left, rule=rule)))


def offer_discarded(
    state: State, _step: steps.ReclaimSome, seat: Seat
) -> Iterator[moves.ReclaimCard]:
    """Each command card in the discard: GW-18.6."""
    return (moves.ReclaimCard(seat, card) for card in state.clans[seat].discard)


def check_discarded(state: State, _step: steps.ReclaimSome, move: moves.ReclaimCard) -> None:
    """Refuse a card that is not in the discard: GW-18.6."""
    if move.card not in state.clans[move.seat].discard:
        raise RuleBroken("GW-18.6", "not_discarded")


def take_one(p: Play[State], step: steps.ReclaimSome, move: moves.ReclaimCard) -> None:
    """Take one command card back, and offer the next."""
    p.emit(course.CommandsReclaimed(move.seat, (move.card,), step.rule))
    reclaim(p, move.seat, step.left - 1, step.rule)
