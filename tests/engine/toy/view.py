"""Who may know what."""

from __future__ import annotations

import msgspec

from domain.engine.dice import Dice, draw
from domain.engine.play import Seat
from tests.engine.toy.state.table import State


class View(msgspec.Struct, frozen=True, tag_field="game", tag="toy"):
    """The table as a seat, or a spectator, sees it."""

    round: int
    rounds: int
    prize: int
    bag: int
    points: tuple[int, ...]
    cards: tuple[int, ...]  # by seat, how many are in its hand
    sealed: tuple[bool, ...]  # by seat, whether it has laid down a card
    hand: tuple[int, ...] | None  # values of the viewer's own cards; null for a spectator
    mine: int | None  # the card that the viewer laid down; null if none
    scores: tuple[int, ...]


def view(state: State, seat: Seat | None) -> View:
    """What this seat, or a spectator, may know."""
    return View(
        round=state.round,
        rounds=state.setup.rounds,
        prize=state.prize,
        bag=sum(state.bag),
        points=tuple(state.points),
        cards=tuple(map(len, state.hands)),
        sealed=tuple(card is not None for card in state.sealed),
        hand=None if seat is None else tuple(state.hands[seat]),
        mine=None if seat is None else state.sealed[seat],
        scores=tuple(state.points),
    )


def imagine(state: State, seat: Seat, dice: Dice) -> State:
    """Another deal of all the cards that this seat has not seen."""
    new = state.copy()
    others = [other for other in range(len(new.hands)) if other != seat]
    for other in others:
        for card in (*new.hands[other], new.sealed[other]):
            if card is not None:
                new.bag[card - 1] += 1
    for other in others:
        new.hands[other] = sorted(1 + draw(dice, new.bag) for _ in new.hands[other])
        if new.sealed[other] is not None:
            new.sealed[other] = 1 + draw(dice, new.bag)
    return new
