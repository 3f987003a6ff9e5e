"""Events of pieces: income, posts, displacement."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.engine.play import Event, Seat
from domain.games.hansa_teutonica.board import PIECE_NUMBER, Piece, Post, Source
from domain.games.hansa_teutonica.events.changes import note_post, number_of, take_from
from domain.games.hansa_teutonica.state.table import FREE, LastDeed, State, code_of


class IncomeTaken(Event[State]):
    """HT-4.1: a seat took pieces from the stock to the supply."""

    seat: Seat
    traders: int
    merchants: int

    def apply(self, state: State) -> None:
        """Move the pieces."""
        for piece, count in enumerate((self.traders, self.merchants)):
            code = code_of(self.seat, piece)
            state.stock[code] -= count
            state.supply[code] += count
        state.last = LastDeed(self.seat, "income")


class PiecePlaced(Event[State]):
    """HT-4.2: a seat put a piece of the supply on a post."""

    seat: Seat
    piece: Piece
    post: Post

    def apply(self, state: State) -> None:
        """Move the piece."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        state.supply[code] -= 1
        at = number_of(state, self.post)
        state.posts[at] = code
        state.last = LastDeed(self.seat, "place", self.post[0], (at,))


class PieceDisplaced(Event[State]):
    """HT-4.3: a piece took the place of another player's; pieces were paid to the stock."""

    seat: Seat
    piece: Piece
    post: Post
    paid_traders: int
    paid_merchants: int
    owner: Seat
    displaced: Piece

    def apply(self, state: State) -> None:
        """Move the piece from the supply to the post, and the payment to the stock."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        state.supply[code] -= 1
        at = number_of(state, self.post)
        state.posts[at] = code
        for piece, count in enumerate((self.paid_traders, self.paid_merchants)):
            paid = code_of(self.seat, piece)
            state.supply[paid] -= count
            state.stock[paid] += count
        state.last = LastDeed(self.seat, "displace", self.post[0], (at,))


class PieceRelocated(Event[State]):
    """A seat put a displaced or an extra piece on a post."""

    seat: Seat
    source: Source
    piece: Piece
    post: Post
    lifted: Post | None

    @property
    def rule(self) -> str:
        """The rule for the displaced piece, or for extra ones."""
        return "HT-5.3" if self.source == "displaced" else "HT-5.4"

    def apply(self, state: State) -> None:
        """Move the piece from where it was to the post."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        take_from(state, self.source, code, self.lifted)
        at = number_of(state, self.post)
        state.posts[at] = code
        note_post(state, self.seat, "relocate", self.post[0], at)


class PieceHomeless(Event[State]):
    """HT-5.10: no post was free; the displaced piece went to the stock."""

    seat: Seat
    piece: Piece

    def apply(self, state: State) -> None:
        """Add it to the stock."""
        state.stock[code_of(self.seat, PIECE_NUMBER[self.piece])] += 1


class ExtrasDeclined(Event[State]):
    """HT-5.8: the owner of a displaced piece places no more extra pieces."""

    seat: Seat
    extras: int

    def apply(self, state: State) -> None:
        """Change nothing."""


class PieceLifted(Event[State]):
    """HT-4.4: a seat lifted a piece from its post, to put it down again."""

    seat: Seat
    owner: Seat
    piece: Piece
    post: Post

    def apply(self, state: State) -> None:
        """Free the post; the next step holds the piece."""
        at = number_of(state, self.post)
        state.posts[at] = FREE
        note_post(state, self.seat, "move", self.post[0], at)


class PiecePut(Event[State]):
    """HT-4.4: a seat put a lifted piece on a post."""

    seat: Seat
    owner: Seat
    piece: Piece
    post: Post
    lifted: Post | UnsetType = UNSET  # where it was; not in entries before version 4 of the rules

    def apply(self, state: State) -> None:
        """Put it on the post."""
        at = number_of(state, self.post)
        state.posts[at] = code_of(self.owner, PIECE_NUMBER[self.piece])
        note_post(state, self.seat, "move", self.post[0], at)


class PieceRemoved(Event[State]):
    """HT-8.5: a seat took a piece from its post into the supply of its owner."""

    seat: Seat
    owner: Seat
    piece: Piece
    post: Post

    def apply(self, state: State) -> None:
        """Move the piece."""
        at = number_of(state, self.post)
        state.posts[at] = FREE
        state.supply[code_of(self.owner, PIECE_NUMBER[self.piece])] += 1
        note_post(state, self.seat, "remove", self.post[0], at)
