"""Spring: new Horde cards, Raids, new advisors: GW-5.1 to GW-5.5."""

from __future__ import annotations

from domain.engine.dice import choose
from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import course, hordes
from domain.games.great_wall.rules import ending
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.counts import in_order, without
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.table import State


def spring(p: Play[State], _step: year.Spring) -> None:
    """The Time token moves, Horde cards and advisors come: GW-3.1, GW-5.1, GW-5.4."""
    slot = p.state.slot + 1
    p.emit(course.YearBegan(slot, p.state.setup.slots[slot].year))
    p.emit(course.SeasonBegan("spring", p.state.year))
    p.then(
        year.PlaceHordes(left=_new_hordes(p.state)),
        year.Fire(trigger="spring_invasion", clans=p.state.players, context=Context()),
        year.RenewAdvisors(),
        year.Summer(),
    )


def _new_hordes(state: State) -> int:
    """As many as the slot says, more or fewer by modifiers, which leave one: GW-5.2, GW-18.5.

    One more in the cooperative game: GW-16.8.
    """
    new = state.setup.slots[state.slot].new_hordes + state.setup.table.extra_hordes
    more = modifiers.invasion_more(state)
    return max(1, new + more) if more else new


def place(p: Play[State], count: int) -> None:
    """Place that many new Horde cards: GW-18.6."""
    p.then(year.PlaceHordes(left=count))


def place_all(p: Play[State], step: year.PlaceHordes) -> None:
    """Place Horde cards one by one: GW-5.2."""
    for _ in range(step.left):
        if not p.state.ended:
            _place_one(p)


def _place_one(p: Play[State]) -> None:
    """Place one in the first empty Section, or where the next card points, or raid: GW-5.2."""
    if not p.state.horde_deck:
        _reshuffle(p)
    if not p.state.horde_deck:
        return
    card = _draw(p)
    sections = p.state.setup.table.sections
    empty = next((one for one in sections if not p.state.horde_cards(one)), None)
    if empty is None:
        see_indicator(p)
    section = empty or p.state.indicator or decks.HORDES[card].invasion
    row = len(p.state.horde_cards(section))
    if row < board.ROWS:
        p.emit(hordes.HordePlaced(card, section, row))
    else:
        tokens = min(p.state.seats, p.state.shame)
        p.emit(hordes.RaidMade(card, section, tokens))  # GW-5.3, GW-15.9
        ending.check_shame(p)


def see_indicator(p: Play[State]) -> None:
    """Turn the discard over if no Horde card is left whose back could be seen: GW-1.4, GW-14.8."""
    if p.state.indicator is None:
        _reshuffle(p)


def _draw(p: Play[State]) -> str:
    """Draw a card with the indicator that is seen, and see that of the next: GW-1.10, GW-5.2."""
    deck, seen = p.state.horde_deck, p.state.indicator
    fitting = [card for card in deck if decks.HORDES[card].invasion == seen] if seen else deck
    card = choose(p.dice, fitting)
    left = without(deck, card)
    p.emit(hordes.HordeDrawn(card, _indicator(p, left) if left else None))
    return card


def _indicator(p: Play[State], deck: tuple[str, ...]) -> board.Section:
    """What is on the back of the card that comes to lie on top: GW-1.10."""
    return decks.HORDES[choose(p.dice, deck)].invasion


def _reshuffle(p: Play[State]) -> None:
    """Make the discarded cards the deck, if there are any: GW-1.4."""
    if cards := in_order(p.state.setup.hordes, p.state.horde_discard):
        p.emit(hordes.HordesReshuffled(cards, _indicator(p, cards)))
