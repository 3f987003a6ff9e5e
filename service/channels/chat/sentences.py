"""What is said of a match in a chat: in the words of its game, with the names of its players."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.game import call
from domain.engine.play import Awaiting, Event, Seat
from domain.engine.touches import Touch
from domain.match.log import AnyEvent
from domain.match.state import Match
from service.channels.chat.markup import plain
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import Teller

LANGUAGE = "en"
MOST_EVENTS = 12


class Words:
    """How somebody is told of a match as it stands: as a seat, or as all others (None)."""

    def __init__(self, annals: Annals, match: Match, seat: Seat | None) -> None:
        self._match = match
        self._seat = seat
        called = queries.seat_names(annals, match)
        self._bare = match.game.words(LANGUAGE, called)
        self._teller = Teller(match, seat, LANGUAGE, [name and plain(name) for name in called])
        self.view = self._teller.view
        """What they see of the game."""
        self.names = [self._teller.words.person(place) for place in range(len(called))]

    def asked(self) -> str:
        """What is to be done now; nothing if nobody has to."""
        return self._teller.asked()

    def outcome(self) -> str:
        """Whether all who play together have won; nothing as long as that is open, and of who play
        against each other.
        """
        return self._teller.outcome()

    def told(self, events: Sequence[AnyEvent]) -> list[str]:
        """What happened in the game, a sentence each, as far as they may know it."""
        seen = queries.seen_events(self._match, events, self._seat)
        of_game = [one for one in seen if isinstance(one, Event) and not isinstance(one, Awaiting)]
        return [said.text for said in self._teller.events(of_game[-MOST_EVENTS:])]

    def called(self, touch: Touch) -> str:
        """What a name stands for that a move is pointed at with; no Markdown in it."""
        return self._bare.line(call(self._match.game, touch, self.view))
