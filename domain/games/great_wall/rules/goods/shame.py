"""Shame tokens: how clans get, place and return them: GW-11.1."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import supply
from domain.games.great_wall.rules import ending
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import supply as supply_steps
from domain.games.great_wall.state.bills import NOTHING, Bill
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State

REDEMPTION = Bill(honor=board.SHAME_HONOR)
"""What returning a token costs in the cooperative game: GW-16.6."""


def gain(p: Play[State], seat: Seat, count: int, rule: str) -> None:
    """Give a seat Shame tokens by this rule, one by one: GW-11.2."""
    if count > 0:
        p.then(supply_steps.GainShame(seat=seat, left=count, rule=rule))


def next_token(p: Play[State], step: supply_steps.GainShame) -> None:
    """Give the next token, or take honor for it; after the last, abilities answer: GW-11.2.

    In the cooperative game all lose if no token is left: GW-16.7.
    """
    if not step.left:
        if step.got:
            context = Context(shame=step.got)
            p.then(steps.Fire(trigger="shame_gained", clans=(step.seat,), context=context))
        return
    if p.state.coop and not p.state.shame:
        ending.end(p, "shame", "GW-16.7")
        return
    placed = bool(p.state.shame and _list_places(p.state, step.seat))
    got = placed or _can_redeem(p.state, step.seat)
    p.then(replace(step, left=step.left - 1, got=step.got + int(got)))
    if got:
        p.then(steps.Ask(step=supply_steps.PlaceShame((step.seat,), rule=step.rule)))
    else:
        _pay_for_token(p, step.seat, step.rule)


def _pay_for_token(p: Play[State], seat: Seat, rule: str) -> None:
    """Take honor for a token that a seat got by this rule and that has no place."""
    lost = min(board.SHAME_PENALTY, p.state.clans[seat].honor)
    p.emit(supply.ShameUnplaced(seat, lost, not p.state.shame, rule))
    ending.check_shame(p)


def _can_redeem(state: State, seat: Seat) -> bool:
    """Whether a seat can return a token as soon as it gets it: GW-16.6."""
    return state.coop and state.clans[seat].honor >= board.SHAME_HONOR


def _list_places(state: State, seat: Seat) -> list[moves.PutShame]:
    """Soldiers, and claimed Horde cards, which no clan keeps in the cooperative game: GW-16.5."""
    clan = state.clans[seat]
    pool = zip(board.SOLDIERS, clan.pool, strict=True)
    found = [moves.PutShame(seat, soldier) for soldier, count in pool if count]
    found += [
        moves.PutShame(seat, None, claim.card)
        for claim in clan.claimed
        if claim.shame < decks.HORDES[claim.card].shame_slots
    ]
    return found


def offer_places(state: State, _step: supply_steps.PlaceShame, seat: Seat) -> list[moves.PutShame]:
    """Each type of soldier in the pool, each claimed Horde card with a free slot: GW-11.2."""
    return _list_places(state, seat)


def check_place(state: State, _step: supply_steps.PlaceShame, move: moves.PutShame) -> None:
    """Refuse a place without room for a token: GW-11.2, GW-11.3, GW-16.5."""
    if state.coop and move.card is not None:
        raise RuleBroken("GW-16.5", "shame_on_card")
    if move not in _list_places(state, move.seat):
        raise RuleBroken("GW-11.2", "no_room")


def place(p: Play[State], step: supply_steps.PlaceShame, move: moves.PutShame) -> None:
    """Put the token there."""
    p.emit(supply.ShameTaken(move.seat, move.soldier, move.card, step.rule))
    ending.check_shame(p)


def offer_redemption(
    state: State, _step: supply_steps.PlaceShame, seat: Seat
) -> tuple[moves.ReturnShame, ...]:
    """To return it at once, if the seat has enough honor: GW-16.6."""
    return (moves.ReturnShame(seat),) if _can_redeem(state, seat) else ()


def check_redemption(state: State, _step: supply_steps.PlaceShame, move: moves.ReturnShame) -> None:
    """Refuse to return another token than this one, and one that the seat cannot pay: GW-16.6."""
    if move.soldier is not None or move.card is not None:
        raise RuleBroken("GW-16.6", "other_token")
    if not _can_redeem(state, move.seat):
        raise RuleBroken("GW-16.6", "too_dear")


def redeem(p: Play[State], step: supply_steps.PlaceShame, move: moves.ReturnShame) -> None:
    """Take the token and return it, for honor: GW-16.6."""
    p.emit(supply.ShameTaken(move.seat, None, None, step.rule))
    p.emit(supply.ShameReturned(move.seat, None, None, "GW-16.6"))
    payments.charge(p, move.seat, REDEMPTION, "GW-16.6")


def offer_refusal(
    state: State, _step: supply_steps.PlaceShame, seat: Seat
) -> tuple[moves.Done, ...]:
    """To give the token up, if it has no place: GW-11.2."""
    return () if _list_places(state, seat) else (moves.Done(seat),)


def check_refusal(state: State, _step: supply_steps.PlaceShame, move: moves.Done) -> None:
    """Refuse to give up a token that has a place: GW-11.2."""
    if _list_places(state, move.seat):
        raise RuleBroken("GW-11.2", "room")


def refuse(p: Play[State], step: supply_steps.PlaceShame, move: moves.Done) -> None:
    """Take honor for the token, which has no place and does not count as received: GW-11.2."""
    below: supply_steps.GainShame = p.state.agenda[-1]
    p.state.agenda[-1] = replace(below, got=below.got - 1)
    _pay_for_token(p, move.seat, step.rule)


def ask_return(p: Play[State], step: steps.ShedShame) -> None:
    """Offer to return tokens for chi, or in the cooperative game for honor.

    GW-12.2, GW-16.6.
    """
    rule = "GW-16.6" if p.state.coop else "GW-12.2"
    discard(p, step.seat, None, rule, price(p.state, step.seat))


def price(state: State, seat: Seat) -> Bill:
    """What returning one token in Summer costs: GW-12.2, GW-16.6."""
    if state.coop:
        return REDEMPTION
    return Bill(chi=max(0, board.SHAME_COST - modifiers.shame_discount(state, seat)))


def discard(p: Play[State], seat: Seat, count: int | None, rule: str, bill: Bill = NOTHING) -> None:
    """Return up to that many tokens of a seat, or all, by this rule, each for a bill: GW-11.4."""
    left = p.state.clans[seat].shame
    left = left if count is None else min(left, count)
    if left > 0:
        step = supply_steps.DiscardShame((seat,), left=left, bill=bill, rule=rule)
        p.then(steps.Ask(step=step))


def offer_tokens(
    state: State, step: supply_steps.DiscardShame, seat: Seat
) -> Iterator[moves.ReturnShame]:
    """Each type of soldier with a token, each Horde card with one, if the seat can pay: GW-11.4."""
    if payments.can_pay(state, seat, step.bill):
        yield from _list_tokens(state, seat)


def _list_tokens(state: State, seat: Seat) -> Iterator[moves.ReturnShame]:
    clan = state.clans[seat]
    for soldier, count in zip(board.SOLDIERS, clan.shamed, strict=True):
        if count:
            yield moves.ReturnShame(seat, soldier)
    yield from (moves.ReturnShame(seat, None, claim.card) for claim in clan.claimed if claim.shame)


def check_token(state: State, step: supply_steps.DiscardShame, move: moves.ReturnShame) -> None:
    """Refuse a token that is not there, or that the seat cannot pay: GW-11.4, GW-12.2."""
    if move not in _list_tokens(state, move.seat):
        raise RuleBroken("GW-11.4", "no_token")
    if not payments.can_pay(state, move.seat, step.bill):
        raise RuleBroken("GW-12.2", "too_dear")


def return_token(p: Play[State], step: supply_steps.DiscardShame, move: moves.ReturnShame) -> None:
    """Return a token to the Shame pool, pay for it, and offer the next."""
    p.emit(supply.ShameReturned(move.seat, move.soldier, move.card, step.rule))
    discard(p, move.seat, step.left - 1, step.rule, step.bill)
    payments.charge(p, move.seat, step.bill, step.rule)
