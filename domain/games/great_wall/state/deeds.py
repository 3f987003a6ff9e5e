"""What was done last, for those who look at the table now."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

import msgspec

from domain.engine.errors import require
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks

DeedKind = Literal[
    "placed",  # a command card on the track
    "moved",  # a clerk
    "activated",  # a Location
    "upgraded",  # an Overseer
    "hired",  # a clerk, or this advisor
    "deployed",  # a soldier to a Rest Zone or a Firing spot
    "attacked",  # a Horde card
    "wounded",  # a Horde card, by an Archer or a card
    "built_barricade",
    "built_wall",
    "played",  # a tactic card
    "defeated",  # a Horde card, claimed by this clan if by any
    "breached",  # a Section
    "raided",  # a Horde card that found no room
]
REMEMBERED = 3
"""How many deeds are kept."""
CARDS: dict[str, Container[str]] = {
    "placed": {*decks.COMMANDS, "reed_command"},
    "hired": decks.ADVISORS,
    "played": decks.TACTICS,
    **dict.fromkeys(("attacked", "wounded", "defeated", "raided"), decks.HORDES),
}
"""By deed, the cards that it can be about."""
SECTIONS = ("deployed", "attacked", "wounded", "built_barricade", "built_wall", "breached")
LOCATIONS = ("moved", "activated", "upgraded")


class Deed(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that everybody saw."""

    deed: DeedKind  # what was done
    clan: int | None = None  # who did it, if anybody did
    card: str | None = None  # id of the card that it was about
    section: board.Section | None = None  # where it was
    location: board.Location | None = None  # where it was
    soldier: board.Soldier | None = None  # the type of the soldier that took part


def check_deeds(deeds: tuple[Deed, ...], clans: int) -> None:
    """Refuse with BadPosition what nobody can have done last."""
    require(len(deeds) <= REMEMBERED, f"`last` has at most {REMEMBERED} deeds.")
    for one in deeds:
        require(one.clan is None or 0 <= one.clan < clans, "`last` names clans that there are.")
        named = one.card is not None or one.deed == "hired"
        fits = one.card is None or one.card in CARDS.get(one.deed, ())
        require(named == (one.deed in CARDS) and fits, "`last` names cards that there are.")
        placed = (one.section is not None, one.location is not None)
        right = placed == (one.deed in SECTIONS, one.deed in LOCATIONS)
        require(right, "`last` says where a deed was done.")
