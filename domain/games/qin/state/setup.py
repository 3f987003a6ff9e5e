"""Options of a match, and the setup that follows from them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from domain.engine.options import FirstPlayer, first_seat, misfit
from domain.engine.play import Seat
from domain.games.qin import board as box

JoiningMajors = Literal["forbidden", "mutual_removal"]
Boards = Annotated[tuple[box.BoardName, ...], msgspec.Meta(min_length=1, max_length=20)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options: QIN-3.1, QIN-3.5, QIN-3.6, QIN-11.1, QIN-14.1."""

    board: box.BoardName = "bird"
    first_player: FirstPlayer = "random"
    joining_majors: JoiningMajors = "forbidden"
    series: Literal["off"] | Boards = "off"
    colours: tuple[box.PlayerColour, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a series that does not begin on its first board: QIN-11.1."""
        if self.series != "off":
            if self.board not in ("bird", self.series[0]):
                raise ValueError(f"`board` is {self.board}, but the series begins otherwise.")
            msgspec.structs.force_setattr(self, "board", self.series[0])


class Setup(msgspec.Struct, frozen=True):
    """Everything a match depends on, with the whole layout of its board."""

    board: str
    rows: box.Rows
    allotment: int
    colours: tuple[str, ...]
    first_player: Seat | None
    joining_majors: JoiningMajors
    series: tuple[box.BoardName, ...]
    """The boards of this match and of the matches after it: QIN-11.1."""


def setup(options: Options, seats: int) -> Setup:
    """The setup for these options and this number of seats: QIN-3.1, QIN-3.4, QIN-3.6.

    BadOptions if colours or the first player do not fit the seats.
    """
    series = () if options.series == "off" else options.series
    return Setup(
        board=options.board,
        rows=box.SIDES[options.board],
        allotment=box.PAGODAS[seats],
        colours=_colours(options.colours, seats),
        first_player=first_seat(options.first_player, seats),
        joining_majors=options.joining_majors,
        series=series,
    )


def _colours(chosen: tuple[box.PlayerColour, ...], seats: int) -> tuple[str, ...]:
    """A colour for each seat, as chosen or by seat number: QIN-3.5."""
    if not chosen:
        return box.PLAYER_COLOURS[:seats]
    if len(chosen) != seats or len(set(chosen)) != seats:
        raise misfit(
            "colours", f"`colours` must name {seats} different colours, one for each seat."
        )
    return chosen
