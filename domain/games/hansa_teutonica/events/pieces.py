"""What happens to pieces: income, posts, displacement."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.hansa_teutonica.board import PIECE_NUMBER, Piece, Post, Source
from domain.games.hansa_teutonica.events.changes import note_post, number_of, take_from
from domain.games.hansa_teutonica.state.table import FREE, Last, State, code_of


class IncomeTaken(Event[State]):
    """HT-4.1: pieces came from the stock to the supply."""

    seat: Seat
    traders: int
    merchants: int

    def apply(self, state: State) -> None:
        """From the stock to the supply."""
        for piece, count in enumerate((self.traders, self.merchants)):
            code = code_of(self.seat, piece)
            state.stock[code] -= count
            state.supply[code] += count
        state.last = Last(self.seat, "income")


class PiecePlaced(Event[State]):
    """HT-4.2: a piece of the supply stands on a post."""

    seat: Seat
    piece: Piece
    post: Post

    def apply(self, state: State) -> None:
        """From the supply to the post."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        state.supply[code] -= 1
        at = number_of(state, self.post)
        state.posts[at] = code
        state.last = Last(self.seat, "place", self.post[0], (at,))


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
        """From the supply to the post and to the stock; what stood there is on no post now."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        state.supply[code] -= 1
        at = number_of(state, self.post)
        state.posts[at] = code
        for piece, count in enumerate((self.paid_traders, self.paid_merchants)):
            paid = code_of(self.seat, piece)
            state.supply[paid] -= count
            state.stock[paid] += count
        state.last = Last(self.seat, "displace", self.post[0], (at,))


class PieceRelocated(Event[State]):
    """HT-5.3, HT-5.4: a displaced or an extra piece stands on a post now."""

    seat: Seat
    source: Source
    piece: Piece
    post: Post
    lifted: Post | None

    def apply(self, state: State) -> None:
        """From where it was to the post."""
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        take_from(state, self.source, code, self.lifted)
        at = number_of(state, self.post)
        state.posts[at] = code
        note_post(state, self.seat, "relocate", self.post[0], at)


class PieceHomeless(Event[State]):
    """HT-5.10: no post was free anywhere; the displaced piece went to the stock."""

    seat: Seat
    piece: Piece

    def apply(self, state: State) -> None:
        """To the stock."""
        state.stock[code_of(self.seat, PIECE_NUMBER[self.piece])] += 1


class ExtrasDeclined(Event[State]):
    """HT-5.8: the owner of a displaced piece places no more extra pieces."""

    seat: Seat
    extras: int

    def apply(self, state: State) -> None:
        """Nothing changes on the table."""


class PieceLifted(Event[State]):
    """HT-4.4: a piece was taken from its post, to be put down again."""

    seat: Seat
    owner: Seat
    piece: Piece
    post: Post

    def apply(self, state: State) -> None:
        """The post is free; the step that follows holds the piece."""
        at = number_of(state, self.post)
        state.posts[at] = FREE
        note_post(state, self.seat, "move", self.post[0], at)


class PiecePut(Event[State]):
    """HT-4.4: a piece that was lifted stands on a post again."""

    seat: Seat
    owner: Seat
    piece: Piece
    post: Post

    def apply(self, state: State) -> None:
        """On the post."""
        at = number_of(state, self.post)
        state.posts[at] = code_of(self.owner, PIECE_NUMBER[self.piece])
        note_post(state, self.seat, "move", self.post[0], at)


class PieceRemoved(Event[State]):
    """HT-8.5: a piece was taken from its post into the supply of its owner."""

    seat: Seat
    owner: Seat
    piece: Piece
    post: Post

    def apply(self, state: State) -> None:
        """From the post to the supply."""
        at = number_of(state, self.post)
        state.posts[at] = FREE
        state.supply[code_of(self.owner, PIECE_NUMBER[self.piece])] += 1
        note_post(state, self.seat, "remove", self.post[0], at)
