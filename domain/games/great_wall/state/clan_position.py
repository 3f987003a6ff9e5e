"""What a clan owns, in a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from domain.engine.constraints import Holds, MidTurn, Unique
from domain.engine.errors import require, require_distinct
from domain.engine.positions.forms import Row, fill, members
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import names
from domain.games.great_wall.state.clans import (
    SOURCES,
    Claim,
    Clan,
    Leaders,
    Overseer,
    Reaction,
    Source,
)
from domain.games.great_wall.state.counts import Counts

Few = Annotated[int, msgspec.Meta(ge=0, le=999)]
Any_ = Annotated[int, msgspec.Meta(ge=-9999, le=9999)]
Troops = Annotated[dict[board.Soldier, Few], Row(board.SOLDIERS)]
FittingClaim = Annotated[
    Claim,
    Holds(
        "A Horde card has no more Shame than slots for it.",
        lambda claim, _: 0 <= claim.shame <= decks.HORDES[claim.card].shame_slots,
    ),
]
KEPT = Holds(
    "In this mode Horde cards are `defeated`, not `claimed`.",
    lambda cards, table: not (cards and table.state.coop),
)
NOT_KEPT = Holds(
    "In this mode Horde cards are `claimed`, not `defeated`.",
    lambda cards, table: table.state.coop or not cards,
)


class ClanPosition(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """What a clan owns, and where its pieces are.

    If left out, `hand` has the command cards that are nowhere else, `pool` the soldiers and
    `clerks_pool` the clerks that are nowhere else; all honor comes from `participation`.
    """

    general: names.General = ""
    active: names.Advisors = ()
    supporting: names.Advisors = ()
    hand: names.Commands | None = None
    discard: names.Commands = ()
    tactics: names.Tactics = ()
    resources: Annotated[dict[board.Resource, Few], Row(board.RESOURCES)] = {}
    honor: Few = 0
    counted: Annotated[dict[Source, Any_], Row(SOURCES)] | None = None
    pool: Troops | None = None
    shamed: Troops = {}
    lost: Troops = {}  # by type, soldiers that left the game: GW-16.11
    overseers: Annotated[dict[board.Location, Overseer], Row(board.PRODUCTION, empty=None)] = {}
    rest: Annotated[dict[names.UsedSection, Troops], Row(board.SECTIONS)] = {}
    firing: Annotated[dict[names.UsedSection, Few], Row(board.SECTIONS)] = {}
    clerks: Annotated[dict[board.Location, Few], Row(board.LOCATIONS)] = {}
    clerks_pool: Few | None = None
    clerks_space: Few | None = None
    claimed: Annotated[tuple[FittingClaim, ...], KEPT] = ()
    defeated: Annotated[names.Hordes, NOT_KEPT] = ()
    dealt_generals: Unique[names.General] = ()
    dealt_advisors: names.Advisors = ()
    leaders: MidTurn[Leaders | None] = None
    command: MidTurn[names.Command | None] = None
    shown: MidTurn[names.Command | None] = None
    reaction: MidTurn[Reaction | None] = None
    passing: Unique[str] = ()


_AT_START = ("overseers", "clerks")
"""What a clan has at the start if a position has none of it."""


def write_clan(clan: Clan) -> ClanPosition:
    """A clan as JSON."""
    return ClanPosition(**members(ClanPosition, clan, ClanPosition.__struct_fields__))


def read_clan(
    given: ClanPosition, clan: Clan, on_hordes: Counts, laid: Sequence[str], commands: Sequence[str]
) -> None:
    """Give a clan, as it is at the start, what a position gives it. Raises BadPosition if the box
    does not hold its pieces: GW-1.2, GW-2.10, GW-10.1.

    `on_hordes` has its soldiers on Horde cards by type, `laid` its command cards on the track,
    `commands` those that it holds at the start.
    """
    clerks, soldiers = clan.clerks_owned + clan.clerks_space, _soldiers(clan)
    fields = ClanPosition.__struct_fields__
    fill(clan, given, [one for one in fields if one not in _AT_START or getattr(given, one)])
    if given.counted is None:
        clan.counted = tuple(clan.honor * (one == "participation") for one in SOURCES)
    require(sum(clan.counted) == clan.honor, "`counted` adds up to the `honor`.")
    clan.clerks_pool = clerks - clan.clerks_space - sum(clan.clerks)
    require(clan.clerks_pool >= 0, f"A clan has {clerks} clerks in total.")
    counts = zip(soldiers, clan.pool, _soldiers(clan), on_hordes, strict=True)
    pool = tuple(owned + held - there - on for owned, held, there, on in counts)
    right = min(pool) >= 0 and (given.pool is None or clan.pool == pool)
    require(right, "A clan has 10 Spearmen, 4 Archers, 2 Horsemen.")
    clan.pool = pool
    if commands:
        _find_hand(clan, given, laid, commands)


def _soldiers(clan: Clan) -> Counts:
    """By type, its soldiers in the pool, with Overseers, on the Wall, and out of the game."""
    rows = zip(clan.pool, clan.shamed, clan.lost, *clan.rest, strict=True)
    counts = dict(zip(board.SOLDIERS, map(sum, rows), strict=True))
    counts["archer"] += sum(clan.firing)
    for overseer in filter(None, clan.overseers):
        counts[overseer.soldier] += 1
    return tuple(counts.values())


def _find_hand(
    clan: Clan, given: ClanPosition, laid: Sequence[str], commands: Sequence[str]
) -> None:
    """Set the hand, so that each clan has every command card once: GW-1.2, GW-15.2."""
    elsewhere = [*clan.discard, *laid, *filter(None, (clan.command, clan.shown))]
    if given.hand is None:
        clan.hand = tuple(card for card in commands if card not in elsewhere)
    cards = [*clan.hand, *elsewhere]
    require_distinct(cards, "hand")
    right = len(cards) == len(commands) or not clan.general
    require(right, "A clan has all six command cards.")
    require({*cards} <= {*commands}, f"Command cards are {', '.join(commands)}.")
