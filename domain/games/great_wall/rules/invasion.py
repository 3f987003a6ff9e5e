"""Spring: new Horde cards, Raids, new advisors: GW-5.1 to GW-5.5."""

from __future__ import annotations

from domain.engine.dice import choose
from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import course, hordes
from domain.games.great_wall.rules import ending
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.counts import in_order, without
from domain.games.great_wall.state.table import State


def _move_time(p: Play[State]) -> None:
    """Move the Time token: GW-5.1."""
    slot = p.state.slot + 1
    p.emit(course.YearBegan(slot, p.state.setup.slots[slot].year))


def begin_spring(p: Play[State], _step: steps.Spring) -> None:
    """Begin a Year, then bring Horde cards and advisors: GW-3.1, GW-5.4."""
    _move_time(p)
    p.emit(course.SeasonBegan("spring", p.state.year))
    p.then(
        steps.PlaceHordes(left=_count_new_hordes(p.state)),
        steps.Fire(trigger="spring_invasion", clans=p.state.players, context=Context()),
        steps.RenewAdvisors(),
        steps.Summer(),
    )


def _count_new_hordes(state: State) -> int:
    """The number of the slot, changed by modifiers, but at least one: GW-5.2, GW-18.5.

    One more in the cooperative game: GW-16.8.
    """
    new = state.setup.slots[state.slot].new_hordes + state.setup.table.extra_hordes
    more = modifiers.invasion_bonus(state)
    return max(1, new + more) if more else new


def place(p: Play[State], count: int) -> None:
    """Place that many new Horde cards: GW-18.6."""
    p.then(steps.PlaceHordes(left=count))


def place_all(p: Play[State], step: steps.PlaceHordes) -> None:
    """Place Horde cards one by one: GW-5.2."""
    for _ in range(step.left):
        if not p.state.ended:
            _place_one(p, step.raids)


def _place_one(p: Play[State], raids: bool) -> None:
    """Place one in the first empty Section, or where the next points, or raid: GW-5.2."""
    if not p.state.horde_deck:
        _reshuffle(p)
    if not p.state.horde_deck:
        return
    card = _draw(p)
    section = _find_section(p, card, raids)
    row = len(p.state.horde_cards(section))
    if row < board.ROWS:
        p.emit(hordes.HordePlaced(card, section, row))
    else:
        _raid(p, card, section)


def _raid(p: Play[State], card: str, section: board.Section) -> None:
    """Take Shame tokens instead of placing a card: GW-5.3, GW-15.9."""
    tokens = min(p.state.seats, p.state.shame)
    p.emit(hordes.RaidMade(card, section, tokens))
    ending.check_shame(p)


def _find_section(p: Play[State], card: str, raids: bool) -> board.Section:
    """The first empty Section, or where the next card points: GW-5.2.

    Without Raids, the next one with room if that is full: GW-14.1.
    """
    state, sections = p.state, p.state.setup.table.sections
    empty = next((one for one in sections if not state.horde_cards(one)), None)
    if empty is not None:
        return empty
    see_indicator(p)
    section = state.indicator or decks.HORDES[card].invasion
    if raids:
        return section
    at = sections.index(section)
    in_order = (*sections[at:], *sections[:at])
    return next((one for one in in_order if len(state.horde_cards(one)) < board.ROWS), section)


def see_indicator(p: Play[State]) -> None:
    """Make the discard the deck if no Horde card is left to show an indicator: GW-1.4, GW-14.8."""
    if p.state.indicator is None:
        _reshuffle(p)


def _draw(p: Play[State]) -> str:
    """Draw a card that the visible indicator allows, and show that of the next: GW-5.2, GW-1.10."""
    deck, seen = p.state.horde_deck, p.state.indicator
    fitting = [card for card in deck if decks.HORDES[card].invasion == seen] if seen else deck
    card = choose(p.dice, fitting)
    left = without(deck, card)
    p.emit(hordes.HordeDrawn(card, _draw_indicator(p, left) if left else None))
    return card


def _draw_indicator(p: Play[State], deck: tuple[str, ...]) -> board.Section:
    """The back of a card drawn to lie on top: GW-1.10."""
    return decks.HORDES[choose(p.dice, deck)].invasion


def _reshuffle(p: Play[State]) -> None:
    """Make the discarded cards the deck, if there are any: GW-1.4."""
    if cards := in_order(p.state.setup.hordes, p.state.horde_discard):
        p.emit(hordes.HordesReshuffled(cards, _draw_indicator(p, cards)))
