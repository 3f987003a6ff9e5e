"""Horde cards: how they come, what they do, how they leave."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from domain.engine.play import Event
from domain.games.great_wall import board
from domain.games.great_wall.events.changes import lay, muster, rest, score, set_hordes
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.hordes import new_horde
from domain.games.great_wall.state.table import State


class Credit(msgspec.Struct, frozen=True):
    """The honor of a clan for its part in a defeat: GW-10.11."""

    clan: int
    soldiers: int  # honor for soldiers on the Horde card
    archers: int  # honor for Archers in the Firing spots of the Section


class HordeDrawn(Event[State]):
    """A Horde card was drawn, and the back of the next one shows its indicator: GW-5.2."""

    reveals: ClassVar[bool] = True

    card: str
    indicator: board.Section | None

    def apply(self, state: State) -> None:
        """Take the card from the deck, and set the indicator."""
        state.horde_deck = without(state.horde_deck, self.card)
        state.indicator = self.indicator


class HordesReshuffled(Event[State]):
    """The discarded Horde cards became the deck: GW-1.4."""

    reveals: ClassVar[bool] = True

    cards: tuple[str, ...]
    indicator: board.Section

    def apply(self, state: State) -> None:
        """Make them the deck, without an order; only the back of the top card is known."""
        state.horde_deck, state.horde_discard = self.cards, ()
        state.indicator = self.indicator


class HordePlaced(Event[State]):
    """A Horde card came to a Section, in this row from 0: GW-5.2."""

    card: str
    section: board.Section
    row: int

    def apply(self, state: State) -> None:
        """Lay the card there, with all Vital spots free."""
        cards = state.horde_cards(self.section)
        set_hordes(state, self.section, (*cards, new_horde(self.card)))


class RaidMade(Event[State]):
    """A Section was full: the Horde card was discarded, and Shame tokens left the game: GW-5.3."""

    card: str
    section: board.Section
    tokens: int

    def apply(self, state: State) -> None:
        """Discard the card and remove the tokens. No clan receives them."""
        state.horde_discard = (*state.horde_discard, self.card)
        state.shame -= self.tokens


class HordeStruck(Event[State]):
    """A clan attacked a Horde card for the first time in this turn: GW-10.9."""

    clan: int
    section: board.Section
    row: int

    def apply(self, state: State) -> None:
        """Record it until the end of the turn."""
        horde = state.horde_cards(self.section)[self.row]
        struck = (*horde.struck, self.clan)
        lay(state, self.section, self.row, msgspec.structs.replace(horde, struck=struck))


class HordeDefeated(Event[State]):
    """A full Horde card was defeated: who covered most of it, who got honor for it: GW-10.11."""

    card: str
    section: board.Section
    defeater: int | None
    credits: tuple[Credit, ...]

    def apply(self, state: State) -> None:
        """Add the honor. The card still lies there."""
        for credit in self.credits:
            score(state.clans[credit.clan], credit.soldiers + credit.archers, "participation")
        state.defeats += bool(state.setup.requests)  # only Requests use it: GW-18.10


class HordeTaken(Event[State]):
    """A defeated Horde card left the board: claimed, or discarded if no clan claims it.

    In the cooperative game it is claimed and discarded.
    """

    card: str
    section: board.Section
    clan: int | None
    survivors: tuple[tuple[int, board.Soldier], ...]  # clans, each with a soldier that survived
    rule: str = "GW-10.11"

    def apply(self, state: State) -> None:
        """Remove the card: survivors rest, or go to the pool without a seat; cards move up."""
        for clan, soldier in self.survivors:
            if clan >= state.seats:
                muster(state.clans[clan], soldier)
            else:
                rest(state.clans[clan], self.section, soldier)
        left = tuple(horde for horde in state.horde_cards(self.section) if horde.card != self.card)
        set_hordes(state, self.section, left)
        if self.clan is None or state.coop:
            state.horde_discard = (*state.horde_discard, self.card)
        if self.clan is not None:
            claimer = state.clans[self.clan]
            if state.coop:
                claimer.defeated = (*claimer.defeated, self.card)
            else:
                claimer.claimed = (*claimer.claimed, Claim(self.card))


class SectionHeld(Event[State]):
    """An assault did not exceed the Defense of a Section: GW-13.4."""

    section: board.Section
    power: int
    defense: int

    def apply(self, state: State) -> None:
        """Change nothing."""


class SectionBreached(Event[State]):
    """An assault exceeded the Defense of a Section: GW-13.5."""

    section: board.Section
    power: int
    defense: int

    def apply(self, state: State) -> None:
        """Count the breach for the Requests. Other events record what follows: GW-18.10."""
        state.breaches += bool(state.setup.requests)


class BarricadesGone(Event[State]):
    """At the end of Winter all Barricades were discarded: GW-13.7."""

    def apply(self, state: State) -> None:
        """Remove them from all Sections."""
        state.barricades = (0,) * len(board.SECTIONS)


class HordesSwapped(Event[State]):
    """A Horde card swapped places with the one in front of it: GW-13.7."""

    section: board.Section
    row: int
    card: str

    def apply(self, state: State) -> None:
        """Move the card one row nearer to the Wall."""
        cards = list(state.horde_cards(self.section))
        front = self.row - 1
        cards[front], cards[self.row] = cards[self.row], cards[front]
        set_hordes(state, self.section, tuple(cards))
