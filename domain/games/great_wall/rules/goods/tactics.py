"""Tactic cards, and the moments in which seats can play them: GW-9.3, GW-9.4."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import get_args

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.engine.sentences import Sentence
from domain.games.great_wall import moves
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.cards.decks import TACTICS
from domain.games.great_wall.cards.kinds import Tactic
from domain.games.great_wall.events import effects
from domain.games.great_wall.rules.effects import modifiers, triggers
from domain.games.great_wall.rules.effects.conditions import holds
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.effects import Perform, PlayReactions, React, SpendTactic
from domain.games.great_wall.state.bills import Bill, bill_of
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.table import State

FOR_A_WHILE: tuple[moves.Passing, ...] = ("turn", "card")
"""How long a seat can let all moments pass: until its next turn, or the next card: GW-9.4."""
WINDOWS: tuple[moves.Passing, ...] = (*FOR_A_WHILE, *get_args(Window))
"""What a seat can let pass without a question: GW-9.4."""


def ask_reactions(p: Play[State], step: steps.Moment) -> None:
    """Ask all seats that hold tactic cards and could play one now, whichever they hold: GW-9.4."""
    windows = tuple(
        (seat, open_)
        for seat, names in step.windows
        if (open_ := _open_windows(p.state, seat, names, step.context))
    )
    if windows:
        seats = tuple(seat for seat, _ in windows)
        in_order = tuple(seat for seat in p.state.tea if seat in seats)
        react = React(seats, windows=windows, context=step.context)
        p.then(react, PlayReactions(left=in_order, windows=windows, context=step.context))


def _open_windows(
    state: State, seat: Seat, windows: tuple[Window, ...], context: Context
) -> tuple[Window, ...]:
    """The windows that are open for a seat, by public information: GW-9.4."""
    clan = state.clans[seat]
    if not clan.tactics or not set(FOR_A_WHILE).isdisjoint(clan.passing):
        return ()
    hands = chain.from_iterable(other.tactics for other in state.clans)
    left = [TACTICS[card] for card in (*state.tactic_deck, *hands)]
    could = {card.window for card in left if _could_play(state, seat, card, context)}
    return tuple(one for one in windows if one in could and one not in clan.passing)


def _could_play(state: State, seat: Seat, card: Tactic, context: Context) -> bool:
    """Whether the condition of a card holds; it looks only at the table: GW-9.3."""
    return card.cond is None or holds(state, seat, card.cond, context)


def offer_reactions(state: State, _step: React, seat: Seat) -> Iterator[moves.PlayTactic]:
    """No card, and each card in the hand, basic or boosted: GW-9.3, GW-9.4."""
    yield moves.PlayTactic(seat)
    for card in state.clans[seat].tactics:
        yield moves.PlayTactic(seat, card)
        yield moves.PlayTactic(seat, card, boosted=True)


def check_reaction(state: State, step: React | PlayReactions, move: moves.PlayTactic) -> None:
    """Refuse a card that the seat cannot play now, or a boost it cannot pay: GW-9.3, GW-9.4."""
    if move.card is None:
        if move.boosted:
            raise RuleBroken("GW-9.3", "no_card", "fault_no_card_to_boost")
        return
    if move.card not in state.clans[move.seat].tactics:
        raise RuleBroken("GW-9.3", "not_in_hand")
    if not _fits(state, move.seat, move.card, step):
        raise RuleBroken("GW-9.4", "wrong_moment", card=Sentence(f"tactic_{move.card}"))
    if move.boosted and not payments.can_pay(state, move.seat, _boost(state, move.seat, move.card)):
        raise RuleBroken("GW-9.3", "too_dear", "fault_too_dear_boost")


def _fits(state: State, seat: Seat, card: str, step: React | PlayReactions) -> bool:
    """Whether a window of the card is open for a seat, and its condition holds: GW-9.3."""
    tactic = TACTICS[card]
    return tactic.window in _windows_of(step, seat) and _could_play(
        state, seat, tactic, step.context
    )


def _windows_of(step: React | PlayReactions, seat: Seat) -> tuple[Window, ...]:
    """The windows that are open for a seat: GW-9.4."""
    return next(windows for one, windows in step.windows if one == seat)


def _boost(state: State, seat: Seat, card: str) -> Bill:
    """What boosting a card costs: GW-9.3, GW-18.5."""
    bill = bill_of(TACTICS[card].boost_cost)
    return replace(bill, chi=max(0, bill.chi - modifiers.boost_discount(state, seat)))


def react(p: Play[State], _step: React, move: moves.PlayTactic) -> None:
    """Record the choice in secret: GW-9.4."""
    p.emit(effects.ReactionSealed(move.seat, move.card, move.boosted))


def offer_passings(_state: State, step: React, seat: Seat) -> Iterator[moves.LetPass]:
    """To pass for a while, or always in an open window: GW-9.4."""
    return (moves.LetPass(seat, until) for until in (*FOR_A_WHILE, *_windows_of(step, seat)))


def check_passing(_state: State, step: React, move: moves.LetPass) -> None:
    """Refuse to let a window pass that is not open now: GW-9.4."""
    if move.until not in (*FOR_A_WHILE, *_windows_of(step, move.seat)):
        raise RuleBroken("GW-9.4", "not_open")


def let_pass(p: Play[State], _step: React, move: moves.LetPass) -> None:
    """Play no card, and stop the questions for a while: GW-9.4."""
    p.emit(effects.PassOrdered(move.seat, move.until))
    p.emit(effects.ReactionSealed(move.seat, None, False))


def offer_asking(state: State, _step: Step, seat: Seat) -> tuple[moves.AskAgain, ...]:
    """To be asked again, for a seat that ordered to pass: GW-9.4."""
    return (moves.AskAgain(seat),) if state.clans[seat].passing else ()


def check_asking(state: State, _step: Step, move: moves.AskAgain) -> None:
    """Refuse to withdraw an order that the seat did not give: GW-9.4."""
    if not state.clans[move.seat].passing:
        raise RuleBroken("GW-9.4", "no_order")


def ask_again(p: Play[State], step: Step, move: moves.AskAgain) -> None:
    """Withdraw the orders to pass, and ask the same question again: GW-9.4."""
    p.emit(effects.PassesWithdrawn(move.seat))
    if len(step.seats) > 1:
        p.state.agenda[-1] = step
    else:
        p.then(step)


def play_reactions(p: Play[State], step: PlayReactions) -> None:
    """Play the card of the next seat in Tea order, if it still can be played, and go on: GW-9.4."""
    if not step.left:
        p.emit(effects.MomentPassed(tuple(seat for seat, _ in step.windows)))
        return
    seat = step.left[0]
    p.then(replace(step, left=step.left[1:]))
    reaction = p.state.clans[seat].reaction
    if reaction and reaction.card:
        _play(p, step, moves.PlayTactic(seat, reaction.card, reaction.boosted))


def _play(p: Play[State], step: PlayReactions, move: moves.PlayTactic) -> None:
    """Play a card, if it still can be played: GW-9.3."""
    card = move.card
    if card is None or not _is_still_playable(p.state, step, move):
        return
    p.emit(effects.TacticPlayed(move.seat, card, move.boosted))
    script = f"tactics/{card}/{'boosted' if move.boosted else 'basic'}"
    triggers.plan_separate_events(
        p,
        Perform(clan=move.seat, script=script, context=step.context),
        SpendTactic(card=card),
        steps.Fire(trigger="play_tactic", clans=(move.seat,), context=NOTHING),
    )
    if move.boosted:
        payments.charge(p, move.seat, _boost(p.state, move.seat, card), "GW-9.3")


def _is_still_playable(state: State, step: PlayReactions, move: moves.PlayTactic) -> bool:
    """Whether a chosen card can still be played: GW-9.4."""
    try:
        check_reaction(state, step, move)
    except RuleBroken:
        return False
    return True


def spend(p: Play[State], step: SpendTactic) -> None:
    """Discard a tactic card whose effect is over: GW-9.3."""
    p.emit(effects.TacticSpent(step.card))
