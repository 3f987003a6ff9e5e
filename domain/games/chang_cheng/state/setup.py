"""Options of a match, and the setup that follows from them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from domain.engine.options import FirstPlayer, first_seat, misfit
from domain.engine.play import Seat
from domain.games.chang_cheng import board

TwoEvents = Annotated[tuple[board.EventCard, ...], msgspec.Meta(max_length=board.EVENTS_IN_PLAY)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options: CC-2.1, CC-2.3, CC-2.4, CC-12.1."""

    face: board.Face = "a"
    boards: Literal["random"] | tuple[board.BoardName, board.BoardName] = "random"
    first_player: FirstPlayer = "random"
    events: Literal["none", "random"] = "none"
    chosen_events: TwoEvents = ()
    colours: tuple[board.PlayerColour, ...] = ()


class Setup(msgspec.Struct, frozen=True):
    """All that a match goes by, with the layouts of its boards."""

    face: board.Face
    layouts: tuple[board.Layout, ...]
    boards: tuple[board.BoardName, ...]
    """The boards in play from left to right; none if chance decides."""
    first_player: Seat | None
    random_events: int
    events: tuple[board.EventCard, ...]
    colours: tuple[str, ...]
    extensions: int
    neutral: int


def setup(options: Options, seats: int) -> Setup:
    """Work out all that a match with these options and seats goes by: CC-2.1, CC-2.4, CC-11.1."""
    chosen = options.chosen_events
    return Setup(
        face=options.face,
        layouts=board.LAYOUTS[options.face],
        boards=_boards(options),
        first_player=first_seat(options.first_player, seats),
        random_events=board.EVENTS_IN_PLAY if options.events == "random" and not chosen else 0,
        events=_events(chosen),
        colours=_colours(options.colours, seats),
        extensions=board.TABLES[seats]["extensions"],
        neutral=board.TABLES[seats]["neutral_single_walls"],
    )


def _boards(options: Options) -> tuple[board.BoardName, ...]:
    """Take the boards that the host named, which must differ; none if by lot: CC-2.1."""
    if options.boards == "random":
        return ()
    if len(set(options.boards)) != len(options.boards):
        raise misfit("boards", "`boards` must name two different boards.")
    return options.boards


def _events(chosen: tuple[board.EventCard, ...]) -> tuple[board.EventCard, ...]:
    """Take the event cards that the host chose, which must differ: CC-12.1."""
    if len(set(chosen)) != len(chosen):
        raise misfit("chosen_events", "`chosen_events` must name different event cards.")
    return chosen


def _colours(chosen: tuple[board.PlayerColour, ...], seats: int) -> tuple[str, ...]:
    """Give each seat a colour, by seat unless the host chose: CC-2.3."""
    if not chosen:
        return board.PLAYER_COLOURS[:seats]
    if len(chosen) != seats or len(set(chosen)) != seats:
        raise misfit(
            "colours", f"`colours` must name {seats} different colours, one for each seat."
        )
    return chosen
