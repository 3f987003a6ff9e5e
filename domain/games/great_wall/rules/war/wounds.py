"""Wound markers that cards bring: GW-18.6."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import soldiers
from domain.games.great_wall.rules.war import fighting
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.soldiers import Wounding
from domain.games.great_wall.state.table import State


def ask_wounds(
    p: Play[State],
    seat: Seat,
    count: int,
    first_row: bool = False,
    sections: tuple[board.Section, ...] = (),
    one: bool = False,
    cards: tuple[str, ...] = (),
) -> None:
    """Let a seat put up to that many Wound markers on Horde cards: GW-10.14, GW-18.6.

    `sections` and `cards` limit where; without them all Sections and cards are allowed. With `one`
    all markers go to one Section, with `first_row` to its first row.
    """
    allowed = sections or p.state.setup.table.sections
    step = Wounding(
        (seat,), left=count, first_row=first_row, sections=allowed, one=one, cards=cards
    )
    if count > 0:
        p.then(steps.Ask(step=step))


def offer_options(state: State, step: Wounding, seat: Seat) -> Iterator[moves.Wound]:
    """All free Vital spots that the seat may wound: GW-18.6."""
    if step.left > 0:
        for place in state.hordes_on_board():
            if _is_allowed(step, place.section, place.row, place.horde.card):
                for spot in place.horde.free():
                    yield moves.Wound(seat, place.section, place.row, spot)


def _is_allowed(step: Wounding, section: board.Section, row: int, card: str) -> bool:
    return (
        section in step.sections
        and not (step.first_row and row)
        and (not step.cards or card in step.cards)
    )


def check_option(state: State, step: Wounding, move: moves.Wound) -> None:
    """Refuse a Horde card that the seat may not wound, and a spot that is not free: GW-18.6."""
    if step.left < 1:
        raise RuleBroken("GW-18.6", "no_more", "fault_no_more_wounds")
    cards = state.horde_cards(move.section)
    if not 0 <= move.row < len(cards):
        raise RuleBroken("GW-18.6", "no_card")
    horde = cards[move.row]
    if not _is_allowed(step, move.section, move.row, horde.card):
        raise RuleBroken("GW-18.6", "other_card")
    fighting.check_free(horde.free(), (move.spot,))


def make_wound(p: Play[State], step: Wounding, move: moves.Wound) -> None:
    """Put a Wound marker there, and offer the next: GW-18.6."""
    card = p.state.horde_cards(move.section)[move.row].card
    p.emit(soldiers.WoundMade(move.seat, move.section, move.row, card, move.spot))
    full = p.state.horde_cards(move.section)[move.row].full
    again = replace(
        step,
        seats=(move.seat,),
        left=step.left - 1,
        sections=(move.section,) if step.one else step.sections,
        cards=(card,) if step.cards else (),
        filled=(*step.filled, card) if full else step.filled,
    )
    p.then(steps.Ask(step=again))


def stop(p: Play[State], step: Wounding, move: moves.Done) -> None:
    """Stop; abilities answer if the markers filled a Horde card: GW-10.9, GW-10.14."""
    fighting.plan_last_wound(p, move.seat, step.filled)
