"""What is chosen before a match, and what follows from it."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.engine.errors import BadOptions
from domain.engine.options import FirstPlayer, first_seat
from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import (
    MAPS,
    MIX_2009,
    MIX_BIG_BOX,
    PLAYER_COLOURS,
    PROVINCES,
    SIDES,
    SOLDIERS,
    Map,
    MapName,
    PlayerColour,
    Province,
    Soldier,
)

AbilityChoice = Literal["printed", "any"]
MarkerUse = Literal["later_turn", "later_action"]
MarkerRefill = Literal["end_of_turn", "on_take"]
RemoveThree = Literal["remove", "move"]
TieBreak = Literal["shared", "actions_then_network"]
MarkerMix = Literal["2009", "big_box"]
Income = Literal["exact", "up_to"]
Swap = Literal["any", "one_own"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be chosen: HT-2.5, HT-13.1 to HT-13.8, HT-14.2, HT-14.3."""

    first_player: FirstPlayer = "random"
    ability_choice: AbilityChoice = "printed"
    marker_use: MarkerUse = "later_turn"
    marker_refill: MarkerRefill = "end_of_turn"
    remove_three: RemoveThree = "remove"
    tie_break: TieBreak = "shared"
    marker_mix: MarkerMix = "2009"
    income: Income = "exact"
    swap: Swap = "any"
    map: MapName = "standard"
    colours: tuple[PlayerColour, ...] = ()


class Setup(msgspec.Struct, frozen=True):
    """All that a match goes by, with its whole map."""

    map: Map
    provinces: tuple[Province, ...]
    soldiers: tuple[Soldier, ...]
    markers: tuple[int, ...]
    colours: tuple[str, ...]
    first_player: Seat | None
    ability_choice: AbilityChoice
    marker_use: MarkerUse
    marker_refill: MarkerRefill
    remove_three: RemoveThree
    tie_break: TieBreak
    income: Income
    swap: Swap


def setup(options: Options, seats: int) -> Setup:
    """What these options come to for so many seats; HT-11.1, HT-13.6, HT-2.5, HT-14.15."""
    two = seats == 2 and options.map == "standard"
    return Setup(
        map=_map(options.map, seats),
        provinces=PROVINCES if two else (),
        soldiers=SOLDIERS if two else (),
        markers=MIX_2009 if options.marker_mix == "2009" else MIX_BIG_BOX,
        colours=_colours(options.colours, seats),
        first_player=first_seat(options.first_player, seats),
        ability_choice=options.ability_choice,
        marker_use=options.marker_use,
        marker_refill=options.marker_refill,
        remove_three=options.remove_three,
        tie_break=options.tie_break,
        income=options.income,
        swap=options.swap,
    )


def _map(name: MapName, seats: int) -> Map:
    """The side of the board for so many players; HT-2.1, HT-14.2."""
    for players, side in SIDES[name].items():
        if seats in players:
            return MAPS[side]
    most = max(players[-1] for players in SIDES[name])
    least = min(players[0] for players in SIDES[name])
    raise BadOptions(f"The map {name!r} is for {least} to {most} players.")


def _colours(chosen: tuple[PlayerColour, ...], seats: int) -> tuple[str, ...]:
    """HT-1.4."""
    if not chosen:
        return PLAYER_COLOURS[:seats]
    if len(chosen) != seats or len(set(chosen)) != seats:
        raise BadOptions(f"`colours` must name {seats} different colours, one for each seat.")
    return chosen
