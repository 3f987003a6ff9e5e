"""Cards: their order, their targets and their effects."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.chang_cheng import board, moves
from domain.games.chang_cheng.events import cards
from domain.games.chang_cheng.places import place_name
from domain.games.chang_cheng.state.steps import NextCard, UseCard
from domain.games.chang_cheng.state.table import NEUTRAL, Card, State, region_with

GREAT = 2
"""How many walls a Great Architect counts."""


def turn_up(p: Play[State], region: str) -> None:
    """Turn up the cards of a region: CC-6.3."""
    waiting = tuple(sorted(p.state.cards_in(region), key=lambda card: card.number))
    if not waiting:
        return
    p.emit(cards.CardsRevealed(region, waiting))
    _cancel_alike(p, region, waiting)


def _cancel_alike(p: Play[State], region: str, waiting: tuple[Card, ...]) -> None:
    """Let cards with the same number go at once: CC-7.2."""
    numbers = [card.number for card in waiting]
    if alike := tuple(card for card in waiting if numbers.count(card.number) > 1):
        p.emit(cards.CardsCancelled(region, alike))


def _add_great_walls(p: Play[State], card: Card) -> None:
    """Add what the Great Architect adds, without a choice: CC-7.6."""
    p.emit(cards.WallsAdded(card, GREAT))


def next_card(p: Play[State], step: NextCard) -> None:
    """Use the lowest card that waits, by its owner if there is a choice: CC-7.1, CC-7.6."""
    waiting = _waiting(p.state)
    if not waiting:
        return
    card = waiting[0]
    p.then(step)
    if card.number == board.GREAT_ARCHITECT:
        _add_great_walls(p, card)
    elif _has_choice(p.state, card):
        p.then(UseCard((card.seat,), region=step.region, number=card.number))
    else:
        p.emit(cards.CardUnused(card, declined=False))


def declines(_state: State, step: UseCard, seat: Seat) -> Iterator[moves.DeclineCard]:
    """To leave the card unused, if its owner is free to use it: CC-7.1."""
    if step.number in board.OPTIONAL:
        yield moves.DeclineCard(seat)


def check_decline(_state: State, step: UseCard, _move: moves.DeclineCard) -> None:
    """Refuse to decline a Flood or an Architect: CC-7.1."""
    if step.number not in board.OPTIONAL:
        raise RuleBroken("CC-7.1", "not_optional", card=_card_name(step.number))


def decline(p: Play[State], _step: UseCard, _move: moves.DeclineCard) -> None:
    """Leave the card unused: CC-7.1."""
    p.emit(cards.CardUnused(_current_card(p), declined=True))


def strikes(state: State, step: UseCard, seat: Seat) -> Iterator[moves.StrikeCard]:
    """For a Warrior, each other card that waits: CC-7.3."""
    if step.number == board.WARRIOR:
        for card in _waiting(state):
            if card.number != board.WARRIOR:
                yield moves.StrikeCard(seat, card.number)


def check_strike(state: State, step: UseCard, move: moves.StrikeCard) -> None:
    """Refuse all but a Warrior, and a target that does not wait, or is the Warrior: CC-7.3."""
    _check_card(step, board.WARRIOR)
    others = [card.number for card in _waiting(state) if card.number != step.number]
    if move.number not in others:
        raise RuleBroken(
            "CC-7.3", "no_such_card", number=move.number, region=place_name(step.region)
        )


def strike(p: Play[State], _step: UseCard, move: moves.StrikeCard) -> None:
    """Remove another card: CC-7.3."""
    struck = next(card for card in _waiting(p.state) if card.number == move.number)
    p.emit(cards.CardStruck(_current_card(p), struck))


def targets(state: State, step: UseCard, seat: Seat) -> Iterator[moves.DestroyWall]:
    """For a Traitor, each single of the region: CC-7.4."""
    if step.number == board.TRAITOR:
        for cell in _singles_in(state, step.region):
            yield moves.DestroyWall(seat, board.CELLS[cell])


def check_target(state: State, step: UseCard, move: moves.DestroyWall) -> None:
    """Refuse all but a Traitor, and a target that is not a single of the region: CC-7.4."""
    _check_card(step, board.TRAITOR)
    _check_single(state, move.cell, "CC-7.4")
    _check_inside(state, step, move.cell, "CC-7.4")


def destroy_wall(p: Play[State], _step: UseCard, move: moves.DestroyWall) -> None:
    """Make a ruin of a single: CC-7.4."""
    p.emit(cards.WallDestroyed(_current_card(p), move.cell, _colour(p.state, move.cell)))


def threats(state: State, step: UseCard, seat: Seat) -> Iterator[moves.RemoveThreat]:
    """For a Traitor, each threat tile beside the region: CC-7.4."""
    if step.number == board.TRAITOR:
        for mongol in _threats_beside(state, step.region):
            yield moves.RemoveThreat(seat, board.MONGOL[mongol])


def check_threat(state: State, step: UseCard, move: moves.RemoveThreat) -> None:
    """Refuse all but a Traitor, and a threat that is far away or gone: CC-7.4."""
    _check_card(step, board.TRAITOR)
    mongol = board.MONGOL_NUMBER.get(move.region)
    if mongol is None or mongol not in state.map.touching[board.CHINA_NUMBER[step.region]]:
        raise RuleBroken(
            "CC-7.4", "not_beside", region=place_name(move.region), china=place_name(step.region)
        )
    if state.removed[mongol]:
        raise RuleBroken("CC-7.4", "no_threat", region=place_name(move.region))


def remove_threat(p: Play[State], _step: UseCard, move: moves.RemoveThreat) -> None:
    """Remove a threat tile without showing it: CC-7.4, CC-9.3."""
    p.emit(cards.ThreatRemoved(_current_card(p), move.region))


def changes(_state: State, step: UseCard, seat: Seat) -> Iterator[moves.ChangeValue]:
    """For a Flood or an Architect a greater value, for a Flood also a smaller one: CC-7.5."""
    if step.number in (board.FLOOD, board.ARCHITECT):
        yield moves.ChangeValue(seat, 2)
    if step.number == board.FLOOD:
        yield moves.ChangeValue(seat, -2)


def check_change(_state: State, step: UseCard, move: moves.ChangeValue) -> None:
    """Refuse all but a Flood, and an Architect to make the value greater: CC-7.5."""
    may_grow = (board.FLOOD, board.ARCHITECT)
    _check_card(step, *(may_grow if move.change > 0 else (board.FLOOD,)))


def change_value(p: Play[State], _step: UseCard, move: moves.ChangeValue) -> None:
    """Make the region worth more or less in this scoring: CC-7.5."""
    p.emit(cards.ValueChanged(_current_card(p), move.change))


def plans(_state: State, step: UseCard, seat: Seat) -> Iterator[moves.AddWall]:
    """For an Architect, to count as a wall: CC-7.5."""
    if step.number == board.ARCHITECT:
        yield moves.AddWall(seat)


def check_plan(_state: State, step: UseCard, _move: moves.AddWall) -> None:
    """Refuse all but an Architect: CC-7.5."""
    _check_card(step, board.ARCHITECT)


def add_wall(p: Play[State], _step: UseCard, _move: moves.AddWall) -> None:
    """Count one more wall for the owner of the card: CC-7.5."""
    p.emit(cards.WallsAdded(_current_card(p), 1))


def swaps(state: State, step: UseCard, seat: Seat) -> Iterator[moves.SwapWalls]:
    """For an Official, each single of the region with each one elsewhere: CC-7.7."""
    if step.number == board.OFFICIAL:
        here, there = _singles_in(state, step.region), _singles_outside(state, step.region)
        for one, other in product(here, there):
            yield moves.SwapWalls(seat, (board.CELLS[one], board.CELLS[other]))


def check_swap(state: State, step: UseCard, move: moves.SwapWalls) -> None:
    """Refuse all but an Official, and two cells without singles here and elsewhere: CC-7.7."""
    _check_card(step, board.OFFICIAL)
    one, other = move.cells
    for cell in move.cells:
        _check_single(state, cell, "CC-7.7")
    _check_inside(state, step, one, "CC-7.7")
    if region_with(state, other) == step.region:
        key = "fault_same_region_swap"
        raise RuleBroken(
            "CC-7.7", "same_region", key, cell=place_name(other), region=place_name(step.region)
        )


def swap_walls(p: Play[State], _step: UseCard, move: moves.SwapWalls) -> None:
    """Let two singles trade places: CC-7.7."""
    one, other = move.cells
    colours = (_colour(p.state, other), _colour(p.state, one))
    p.emit(cards.WallsSwapped(_current_card(p), move.cells, colours))


def _has_choice(state: State, card: Card) -> bool:
    """Whether a card has a target; Flood and Architect need none: CC-7.1."""
    match card.number:
        case board.WARRIOR:
            return len(_waiting(state)) > 1
        case board.TRAITOR:
            return bool(_singles_in(state, card.region) or _threats_beside(state, card.region))
        case board.OFFICIAL:
            return bool(_singles_in(state, card.region) and _singles_outside(state, card.region))
        case _:
            return True


def _check_card(step: UseCard, *able: int) -> None:
    """Refuse a move that is not the effect of the current card: CC-7.1."""
    if step.number not in able:
        raise RuleBroken("CC-7.1", "not_this_card", card=_card_name(step.number))


def _card_name(number: int) -> Sentence:
    """A card by its name."""
    return Sentence(f"card_{number}")


def _check_single(state: State, name: str, rule: str) -> None:
    """Refuse a cell without a standing single: CC-7.4, CC-7.7."""
    cell = board.CELL_NUMBER.get(name)
    if cell is None or cell not in state.wall.cells or not state.is_single(cell):
        raise RuleBroken(rule, "no_single", cell=place_name(name))


def _check_inside(state: State, step: UseCard, name: str, rule: str) -> None:
    """Refuse a cell outside the scoring region: CC-7.4, CC-7.7."""
    if region_with(state, name) != step.region:
        raise RuleBroken(
            rule, "other_region", cell=place_name(name), region=place_name(step.region)
        )


def _singles_in(state: State, region: str) -> list[int]:
    cells = range(*state.map.china[board.CHINA_NUMBER[region]])
    return [cell for cell in cells if state.is_single(cell)]


def _singles_outside(state: State, region: str) -> list[int]:
    inside, is_single = range(*state.map.china[board.CHINA_NUMBER[region]]), state.is_single
    return [cell for cell in state.wall.cells if is_single(cell) and cell not in inside]


def _threats_beside(state: State, region: str) -> list[int]:
    beside = state.map.touching[board.CHINA_NUMBER[region]]
    return [mongol for mongol in beside if not state.removed[mongol]]


def _waiting(state: State) -> tuple[Card, ...]:
    """The waiting cards of the scoring region, lowest first."""
    assert state.tally is not None
    return state.tally.waiting


def _current_card(p: Play[State]) -> Card:
    """The current card: the lowest one that waits."""
    return _waiting(p.state)[0]


def _colour(state: State, name: str) -> Seat | None:
    """The owner of a wall; None if it is neutral."""
    colour = state.cells[board.CELL_NUMBER[name]]
    return None if colour == NEUTRAL else colour - 1
