"""The setup, the seasons, command cards, the end."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import SOLO
from domain.games.great_wall.events.changes import lay, score
from domain.games.great_wall.state.clans import Leaders
from domain.games.great_wall.state.counts import put, without
from domain.games.great_wall.state.table import EndReason, LaidCommand, Season, State


class ArtifactsLaid(Event[State]):
    """These artifacts lie open; the rest left the game: GW-2.2."""

    reveals: ClassVar[bool] = True

    cards: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Lay the artifacts open."""
        state.artifacts = self.cards


class LeadersDealt(Event[State]):
    """A seat got Generals and advisors to choose from, which only it knows: GW-2.8."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("generals", "advisors")
    reveals: ClassVar[bool] = True

    seat: Seat
    generals: tuple[str | None, ...]
    advisors: tuple[str | None, ...]

    def apply(self, state: State) -> None:
        """Move the cards from the decks to the seat."""
        clan = state.clans[self.seat]
        clan.dealt_generals = tuple(card for card in self.generals if card)
        clan.dealt_advisors = tuple(card for card in self.advisors if card)
        state.general_deck = _without(state.general_deck, clan.dealt_generals)
        state.advisor_deck = _without(state.advisor_deck, clan.dealt_advisors)


class LeadersChosen(Event[State]):
    """A seat chose its General and its Active Advisor in secret: GW-2.8."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("leaders",)

    seat: Seat
    leaders: Leaders | None

    def apply(self, state: State) -> None:
        """Record the choice, which is not revealed yet."""
        state.clans[self.seat].leaders = self.leaders


class LeadersRevealed(Event[State]):
    """A seat showed its General and its Active Advisor, but not the other advisor: GW-2.8."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("supporting",)
    reveals: ClassVar[bool] = True

    seat: Seat
    general: str
    active: str
    supporting: str | None

    def apply(self, state: State) -> None:
        """Set the leaders. Generals that the seat did not keep, or did not get, leave the game."""
        assert self.supporting is not None
        clan = state.clans[self.seat]
        clan.general, clan.active, clan.supporting = (
            self.general,
            (self.active,),
            (self.supporting,),
        )
        clan.hand = tuple(decks.COMMANDS)
        clan.leaders, clan.dealt_generals, clan.dealt_advisors = None, (), ()
        state.general_deck = ()


class TeaOrderSet(Event[State]):
    """The Tea markers were stacked, the first on top: GW-2.12."""

    order: tuple[int, ...]

    def apply(self, state: State) -> None:
        """Set the Tea order."""
        state.tea = self.order


class YearBegan(Event[State]):
    """The Time token moved to this slot, counted from 0: GW-5.1."""

    slot: int
    year: int

    def apply(self, state: State) -> None:
        """Move the Time token, and reset the counts of a Year that Requests use."""
        state.slot = self.slot
        state.breaches = state.defeats = 0


class SeasonBegan(Event[State]):
    """A season began: GW-3.1."""

    season: Season
    year: int

    def apply(self, state: State) -> None:
        """Set the season."""
        state.season = self.season


class CommandChosen(Event[State]):
    """A seat chose a command card, which only it knows: GW-7.1."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("card",)

    seat: Seat
    card: str | None

    def apply(self, state: State) -> None:
        """Take the card from the hand; it is not shown yet."""
        assert self.card is not None
        clan = state.clans[self.seat]
        clan.hand, clan.command = without(clan.hand, self.card), self.card


class CommandsRevealed(Event[State]):
    """The seats showed the command cards they chose; null for a seat that had none: GW-7.2."""

    reveals: ClassVar[bool] = True

    cards: tuple[str | None, ...]  # by seat, the id of its card; null if it had none

    def apply(self, state: State) -> None:
        """Show the cards; their owners place them next."""
        for seat, card in enumerate(self.cards):
            state.clans[seat].command, state.clans[seat].shown = None, card


class CommandPlaced(Event[State]):
    """A command card was put on a slot of the track."""

    clan: int
    card: str
    slot: int
    rule: str = "GW-7.2"

    def apply(self, state: State) -> None:
        """Put the card on the track, where it stays until Summer."""
        state.clans[self.clan].shown = None
        state.track = put(state.track, self.slot, LaidCommand(self.clan, self.card))


class TurnBegan(Event[State]):
    """The turn of a clan began, with the command card on this slot: GW-7.3."""

    clan: int
    slot: int
    card: str

    def apply(self, state: State) -> None:
        """Set the Active player; orders to pass until this turn are over: GW-9.4."""
        state.active = self.clan
        for number, clan in enumerate(state.clans):
            over = ("card", "turn") if number == self.clan else ("card",)
            clan.passing = _without(clan.passing, over) if clan.passing else ()
        _reset_struck(state)  # also after attacks in Winter, when no clan has a turn


class TurnEnded(Event[State]):
    """The turn of a clan is over: GW-7.6."""

    clan: int

    def apply(self, state: State) -> None:
        """End all effects that last for a turn."""
        state.active, state.doubled = None, ()
        _reset_struck(state)


class TrackCleared(Event[State]):
    """The command cards of the track went to the discards of their owners: GW-12.3."""

    cards: tuple[LaidCommand, ...]

    def apply(self, state: State) -> None:
        """Move the cards. The Reed Clan plays its card again next Fall."""
        state.track = (None,) * len(state.track)
        for laid in self.cards:
            clan = state.clans[laid.clan]
            clan.discard = _sort_commands((*clan.discard, laid.card))


class CommandsReclaimed(Event[State]):
    """A seat took command cards back from its discard."""

    seat: Seat
    cards: tuple[str, ...]
    rule: str = "GW-12.4"

    def apply(self, state: State) -> None:
        """Move the cards from the discard to the hand."""
        clan = state.clans[self.seat]
        clan.discard = _without(clan.discard, self.cards)
        clan.hand = _sort_commands((*clan.hand, *self.cards))


class CommandsLeft(Event[State]):
    """A seat left its command cards in the discard and got honor for them: GW-12.4."""

    seat: Seat
    cards: int
    honor: int

    def apply(self, state: State) -> None:
        """Add the honor. The cards count again next Summer."""
        score(state.clans[self.seat], self.honor, "command_cards")


class GameEnded(Event[State]):
    """The game is over; the final score by seat."""

    reveals: ClassVar[bool] = True

    reason: EndReason
    winners: tuple[Seat, ...]
    honor: tuple[int, ...]
    rule: str = "GW-13.8"

    def apply(self, state: State) -> None:
        """Record the reason and the winners."""
        state.ended, state.winners = self.reason, self.winners


def _reset_struck(state: State) -> None:
    """Reset which clans attacked the Horde cards, so that the cards strike back again: GW-10.9."""
    for section, cards in zip(board.SECTIONS, state.hordes, strict=True):
        for row, horde in enumerate(cards):
            if horde.struck:
                lay(state, section, row, replace(horde, struck=()))


def _without(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([card for card in cards if card not in gone])


def _sort_commands(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Command cards in the order of the data, those of Qin Jiushao last."""
    return tuple(card for card in (*decks.COMMANDS, *SOLO) if card in cards)
