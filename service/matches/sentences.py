"""Sentences about a match: what happened, and what a seat must do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import msgspec

from domain.engine.game import describe_step
from domain.engine.play import Move, Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import SeatName, Sentence, Words, sentence
from domain.match import visibility
from domain.match.log import AnyEvent, Entry, read_events, read_move
from domain.match.sentences import (
    find_seat,
    name_moves,
    outcome,
    sentence_of,
    sentences_of_move,
    texts_of,
)
from domain.match.state import Match
from domain.match.undoing.request import UndoRequest
from service.matches import queries
from service.matches.container import Annals

Json = dict[str, Any]


class RenderedSentence(msgspec.Struct, frozen=True):
    """A sentence in a language, and the numbers of the rules behind it."""

    text: str
    rules: Sequence[str] = ()


class Narrator:
    """Writes sentences about a match as a seat, or a spectator, may know it."""

    def __init__(
        self,
        match: Match,
        seat: Seat | None,
        language: str,
        names: Sequence[str | None] = (),
        *,
        is_lent: bool = False,
        former_names: queries.Names = MappingProxyType({}),
    ) -> None:
        """`names` are by seat; a seat without a name is called by its number. If the view is lent,
        the reader does not have the seat. `former_names` are those of replaced players, by id.
        """
        self.match = match
        self._names, self._former_names = names, former_names
        self._past: dict[int, Narrator] = {}
        self._seat, self._language = seat, language
        self._reader = None if is_lent else seat
        self.words = Words(texts_of(match, language), names)

    @cached_property
    def view(self) -> Any:  # noqa: ANN401 - of any game
        """What the viewer sees of the game; None before the start."""
        return visibility.view(self.match, self._seat)

    def prompt(self) -> str:
        """Return what must be done now, addressed to the viewer on their turn, with the name of
        their seat if they have several; "" if no seat must decide.
        """
        match, seat = self.match, self._reader
        if not match.seats_to_move:
            return ""
        step = match.state.agenda[-1]
        asked = self._render(describe_step(match.game, step, self.view, seat)).text
        if seat is None or seat not in step.seats:
            return asked
        if len(match.seats_of(match.chairs[seat].player)) < 2:
            return asked
        return self.words.line(sentence("prompt_of_seat", seat=SeatName(seat), prompt=asked))

    def outcome(self) -> str:
        """Return who won and why, with names alone; "" before the match is scored."""
        return self._say_outcome(self.words)

    def own_outcome(self) -> str:
        """Return the same, addressed to the reader if they have one of the seats."""
        seat = self._reader
        return self._say_outcome(self.words if seat is None else self.words.addressing(seat))

    def _say_outcome(self, words: Words) -> str:
        spoken = outcome(self.match)
        return words.line(spoken) if spoken else ""

    def name_moves(self, request: UndoRequest) -> str:
        """Return the moves that a request is about, as words for `undo` or `redo`; if the first of
        them is of the reader, who asks, as "your".
        """
        return self.words.say(name_moves(self.match, request, self._reader))

    def of_entry(self, entry: Entry) -> list[RenderedSentence]:
        """Return the sentences of a recorded entry."""
        events = read_events(self.match.game, entry.events)
        seen = queries.visible_events(self.match, events, self._seat)
        return self.at(entry.version).of_events(seen)

    def at(self, version: int) -> Narrator:
        """Return the narrator of the entry of a version: it names the players of then."""
        replaced = [one for one in self.match.tenures if one.until > version]
        if not replaced:
            return self
        if len(replaced) not in self._past:
            names = [*self._names]
            for one in reversed(replaced):  # the first of a seat had it then
                names[one.seat] = self._former_names.get(one.player)
            self._past[len(replaced)] = Narrator(self.match, self._seat, self._language, names)
        return self._past[len(replaced)]

    def of_events(self, seen: Iterable[AnyEvent]) -> list[RenderedSentence]:
        """Return the sentences of events that this seat, or a spectator, may see."""
        return [self._render(one) for one in self._describe(seen) if not one.partial]

    def of_move(self, move: Move, seen: Iterable[AnyEvent]) -> list[RenderedSentence]:
        """Return what a move does, and then what follows from it, for a move in this state that
        stands alone, also if it only begins what a later move completes.
        """
        spoken = sentences_of_move(self.match, move, seen, self.view)
        return [self._render(one) for one in spoken]

    def of_own_move(self, move: Move, seen: Iterable[AnyEvent]) -> list[RenderedSentence]:
        """Return the same, addressed to the player of the move."""
        words = self.words.addressing(move.seat)
        spoken = sentences_of_move(self.match, move, seen, self.view)
        return [RenderedSentence(words.line(one), one.rules) for one in spoken]

    def _describe(self, seen: Iterable[AnyEvent]) -> Iterator[Sentence]:
        spoken = (sentence_of(self.match, event, self.view) for event in seen)
        return (one for one in spoken if one)

    def _render(self, spoken: Sentence) -> RenderedSentence:
        return RenderedSentence(self.words.line(spoken), spoken.rules)


def entry_with_sentences(
    match: Match, entry: Entry, seat: Seat | None, narrator: Narrator | None
) -> Json:
    """Return an entry as a seat, or a spectator, may see it, with the seat that acted and sentences
    if there is a narrator.
    """
    served = queries.entry_view(match, entry, seat)
    if narrator is None:
        return served
    sentences = narrator.at(entry.version).of_events(served["events"])
    return {**served, "seat": acting_seat(match, entry), "sentences": sentences}


def acting_seat(match: Match, entry: Entry) -> Seat | None:
    """Return the seat that moved, or the first one of the player who acted otherwise, if any."""
    if entry.move:
        return read_move(match.game, entry.move).seat
    return find_seat(match, entry.actor)


def narrator_for(
    annals: Annals,
    match: Match,
    seat: Seat | None,
    language: str = ENGLISH,
    *,
    is_lent: bool = False,
) -> Narrator:
    """Return the teller of a match in a language, with current names of players and bots."""
    names = queries.seat_names(annals, match, language)
    left = {one.player for one in match.tenures}
    former_names = annals.players.names(left, language) if left else {}
    return Narrator(match, seat, language, names, is_lent=is_lent, former_names=former_names)
