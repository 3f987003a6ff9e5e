"""The options of a match, and what follows from them."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.engine.options import FirstPlayer, first_seat, misfit
from domain.engine.play import Seat
from domain.games.hansa_teutonica import board

AbilityChoice = Literal["printed", "any"]
MarkerUse = Literal["later_turn", "later_action"]
MarkerRefill = Literal["end_of_turn", "on_take"]
RemoveThree = Literal["remove", "move"]
TieBreak = Literal["shared", "actions_then_network"]
MarkerMix = Literal["2009", "big_box"]
Income = Literal["exact", "up_to"]
Swap = Literal["any", "one_own"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that the host chooses: HT-2.5, HT-13.1 to HT-13.8, HT-14.2, HT-14.3."""

    first_player: FirstPlayer = "random"
    ability_choice: AbilityChoice = "printed"
    marker_use: MarkerUse = "later_turn"
    marker_refill: MarkerRefill = "end_of_turn"
    remove_three: RemoveThree = "remove"
    tie_break: TieBreak = "shared"
    marker_mix: MarkerMix = "2009"
    income: Income = "exact"
    swap: Swap = "any"
    map: board.MapName = "standard"
    colours: tuple[board.PlayerColour, ...] = ()


class Setup(msgspec.Struct, frozen=True):
    """The numbers and the map of a match."""

    map: board.Map
    provinces: tuple[board.Province, ...]
    soldiers: tuple[board.Soldier, ...]
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
    """The setup for these options and seats: HT-11.1, HT-13.6, HT-2.5, HT-14.15."""
    two = seats == 2 and options.map == "standard"
    return Setup(
        map=_map(options.map, seats),
        provinces=board.PROVINCES if two else (),
        soldiers=board.SOLDIERS if two else (),
        markers=board.MIX_2009 if options.marker_mix == "2009" else board.MIX_BIG_BOX,
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


def _map(name: board.MapName, seats: int) -> board.Map:
    """The side of the board for a number of players: HT-2.1, HT-14.2."""
    for players, side in board.SIDES[name].items():
        if seats in players:
            return board.MAPS[side]
    most = max(players[-1] for players in board.SIDES[name])
    least = min(players[0] for players in board.SIDES[name])
    raise misfit("map", f"The map {name!r} is for {least} to {most} players.")


def _colours(chosen: tuple[board.PlayerColour, ...], seats: int) -> tuple[str, ...]:
    """The colours of the seats; by default in the order of the box: HT-1.4."""
    if not chosen:
        return board.PLAYER_COLOURS[:seats]
    if len(chosen) != seats or len(set(chosen)) != seats:
        raise misfit(
            "colours", f"`colours` must name {seats} different colours, one for each seat."
        )
    return chosen
