"""Events of permanent bonuses."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import PIECE_NUMBER
from domain.games.hansa_teutonica.events.changes import note_post, number_of, take_from
from domain.games.hansa_teutonica.state.table import LastDeed, State, code_of


class BonusGained(Event[State]):
    """HT-14.4: the established route has a permanent bonus, which its player may use now."""

    seat: Seat
    route: str
    bonus: board.Bonus

    def apply(self, state: State) -> None:
        """Change nothing: later events record what it brings."""


class PieceDeployed(Event[State]):
    """A permanent bonus brought a piece to a post."""

    seat: Seat
    source: board.Source
    piece: board.Piece
    post: board.Post
    lifted: board.Post | None = None
    rule: str = "HT-14.9"

    def apply(self, state: State) -> None:
        """Move the piece from where it was to the post."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        take_from(state, self.source, code, self.lifted)
        at = number_of(state, self.post)
        state.posts[at] = code
        note_post(state, self.seat, "deploy", self.post[0], at)


class GreenOfficeOpened(Event[State]):
    """HT-14.8: a piece of the supply became the rightmost office of a green city."""

    seat: Seat
    city: str
    piece: board.Piece

    def apply(self, state: State) -> None:
        """Move the piece from the supply to the right of the city."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        state.supply[code] -= 1
        state.extras[state.board.city_number[self.city]] += bytes((code,))
        state.last = LastDeed(self.seat, "green_office", city=self.city)


class BonusDeclined(Event[State]):
    """HT-14.4: a seat uses no more of a permanent bonus."""

    seat: Seat
    bonus: board.Bonus

    def apply(self, state: State) -> None:
        """Change nothing."""
