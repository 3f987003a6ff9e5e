"""Sentences about a match for a chat, in the words of its game."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.game import describe_touch
from domain.engine.play import Awaiting, Event, Seat
from domain.engine.touches import Touch
from domain.match.log import AnyEvent
from domain.match.sentences import says_end
from domain.match.state import Match
from domain.match.undoing.request import UndoRequest
from service.channels.chat.markup import escape_markdown
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import Narrator

LANGUAGE = "en"
MAX_EVENTS = 12


class MatchTexts:
    """The texts of a match in its current state, for a seat or for spectators (None)."""

    def __init__(self, annals: Annals, match: Match, seat: Seat | None) -> None:
        self._match = match
        self._seat = seat
        names = queries.seat_names(annals, match)
        self._plain_texts = match.game.words(LANGUAGE, names)
        self._teller = Narrator(
            match, seat, LANGUAGE, [name and escape_markdown(name) for name in names]
        )
        self.view = self._teller.view
        """The view of the game for this viewer."""
        involved = {chair.invited for chair in match.chairs if chair.invited}
        involved |= {*match.declined.values()}
        self.people = {
            player: escape_markdown(name) for player, name in annals.players.names(involved).items()
        }
        """Names of players who are invited, or declined, by id."""
        self.names = [self._teller.words.person(place) for place in range(len(names))]

    def prompt(self) -> str:
        """Return what the match waits for, or empty if it waits for no seat."""
        return self._teller.prompt()

    def prompt_with(self, names: Sequence[str]) -> str:
        """Return what the match waits for, with these names by seat, such as mentions."""
        return Narrator(self._match, self._seat, LANGUAGE, names).prompt()

    def outcome(self) -> str:
        """Return who won and why; empty before the match is scored."""
        return self._teller.outcome()

    def describe(self, events: Sequence[AnyEvent]) -> list[str]:
        """One sentence for each of the last game events that the viewer may see, without the one
        that says how the game ended: `outcome` does.
        """
        visible = queries.visible_events(self._match, events, self._seat)
        of_game = [
            one
            for one in visible
            if isinstance(one, Event) and not isinstance(one, Awaiting)
            if not says_end(self._match.game, one, self.view)
        ]
        return [said.text for said in self._teller.of_events(of_game[-MAX_EVENTS:])]

    def name_moves(self, request: UndoRequest) -> str:
        """Return the moves that a request is about."""
        return self._teller.name_moves(request)

    def label(self, touch: Touch) -> str:
        """Return the name of what a touch points at, without Markdown."""
        return self._plain_texts.line(describe_touch(self._match.game, touch, self.view))
