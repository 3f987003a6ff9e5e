"""Options of a match, and the setup that follows from them."""

from __future__ import annotations

import msgspec

from domain.engine.options import FirstPlayer, first_seat, misfit
from domain.engine.play import Seat
from domain.games.tigris_euphrates.board import BOARDS, DYNASTIES, BoardName, Dynasty, Rows


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options: TE-2.3, TE-2.6, TE-16.2, TE-17.1, TE-17.2."""

    board: BoardName = "standard"
    first_player: FirstPlayer = "random"
    open_scores: bool = False
    english_support: bool = False
    dynasties: tuple[Dynasty, ...] = ()


class Setup(msgspec.Struct, frozen=True):
    """Everything a match depends on, with the whole layout of its board."""

    board: str
    rows: Rows
    first_player: Seat | None
    open_scores: bool
    dynasties: tuple[str, ...]
    english_support: bool = False


def setup(options: Options, seats: int) -> Setup:
    """The setup for these options, the same for two, three and four seats: TE-2.6, TE-2.7."""
    return Setup(
        board=options.board,
        rows=BOARDS[options.board],
        first_player=first_seat(options.first_player, seats),
        open_scores=options.open_scores,
        dynasties=_dynasties(options.dynasties, seats),
        english_support=options.english_support,
    )


def _dynasties(chosen: tuple[Dynasty, ...], seats: int) -> tuple[str, ...]:
    """The dynasties by seat: TE-2.3."""
    if not chosen:
        return DYNASTIES[:seats]
    if len(chosen) != seats or len(set(chosen)) != seats:
        raise misfit(
            "dynasties", f"`dynasties` must name {seats} different ones, one for each seat."
        )
    return chosen
