"""What is told of a match in words: what happened, and what somebody has to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import msgspec

from domain.engine.game import ask
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import Sentence, Words
from domain.match import visibility
from domain.match.log import AnyEvent, Entry, read_events
from domain.match.sentences import outcome, sentence_of, texts_of
from domain.match.state import Match
from service.matches import queries
from service.matches.container import Annals

Json = dict[str, Any]


class Said(msgspec.Struct, frozen=True):
    """A sentence in the words of a language, and the numbers of the rules by which it is so."""

    text: str
    rules: Sequence[str] = ()


class Teller:
    """Tells a match as it stands, as a seat, or a spectator, may know it."""

    def __init__(
        self, match: Match, seat: Seat | None, language: str, names: Sequence[str | None] = ()
    ) -> None:
        """With the names by seat; whoever has none is called by the number of the seat."""
        self._match = match
        self._seat = seat
        self.words = Words(texts_of(match, language), names)

    @cached_property
    def view(self) -> Any:  # noqa: ANN401 - of any game
        """What they see of the game; None before the start."""
        return visibility.view(self._match, self._seat)

    def asked(self) -> str:
        """What is to be done now, by whoever is awaited; nothing if nobody is."""
        match = self._match
        if not match.awaited:
            return ""
        return self._said(ask(match.game, match.state.agenda[-1], self.view)).text

    def outcome(self) -> str:
        """Whether all who play together have won; nothing as long as that is open, and of who play
        against each other.
        """
        spoken = outcome(self._match)
        return self._said(spoken).text if spoken else ""

    def entry(self, entry: Entry) -> list[Said]:
        """What happened, as it was recorded."""
        events = read_events(self._match.game, entry.events)
        return self.events(queries.seen_events(self._match, events, self._seat))

    def events(self, seen: Iterable[AnyEvent]) -> list[Said]:
        """What happened, of events as this seat, or a spectator, may know them."""
        spoken = (sentence_of(self._match, event, self.view) for event in seen)
        return [self._said(one) for one in spoken if one]

    def _said(self, spoken: Sentence) -> Said:
        return Said(self.words.line(spoken), spoken.rules)


def served_entry(match: Match, entry: Entry, seat: Seat | None, teller: Teller | None) -> Json:
    """An entry as a seat, or a spectator, may read it, and what it says if somebody tells it."""
    served = queries.served_entry(match, entry, seat)
    return {**served, "says": teller.events(served["events"])} if teller else served


def teller_for(annals: Annals, match: Match, seat: Seat | None, language: str = ENGLISH) -> Teller:
    """Who tells a match in a language, with the names that players and bots have now."""
    return Teller(match, seat, language, queries.seat_names(annals, match, language))
