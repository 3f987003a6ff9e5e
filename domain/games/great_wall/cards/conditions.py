"""Conditions of effects and of tactic cards: GW-18.7."""

from __future__ import annotations

import msgspec

from domain.games.great_wall.cards.amounts import Cost, Limit, Phrase, Places, Soldiers


class Condition(Phrase, frozen=True):
    """A condition: all of its members must hold now: GW-18.7."""

    has: Cost | None = None  # you have at least these resources
    soldier_on_this_horde: bool = False  # you have a soldier on the Horde card of this event
    archer_in_this_section: bool = False  # you have an Archer in a Firing spot of this Section
    attacked_with: Soldiers | None = None  # at least one of these types took part in this attack
    own_clerk_in: Places | None = None  # you have a clerk in one of these Locations
    all: tuple[Condition, ...] = ()  # all these conditions hold
    count_at_least: Limit | None = None  # the counter is at least `n`
    count_at_most: Limit | None = None  # the counter is at most `n`

    def __post_init__(self) -> None:
        """Refuse an empty condition."""
        if not any(msgspec.structs.astuple(self)):
            raise ValueError("a condition must not be empty")
