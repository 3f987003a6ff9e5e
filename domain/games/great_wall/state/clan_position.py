"""What a clan owns as JSON: read with its contradictions found, and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeVar

import msgspec

from domain.engine.errors import require, require_different
from domain.games.great_wall import board
from domain.games.great_wall.state.clans import (
    PRODUCTION_NUMBER,
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
Troops = dict[board.Soldier, Few]
Cards = tuple[str, ...]
K = TypeVar("K", bound=str)


class ClanPosition(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """What is in front of a clan, and where its pieces are.

    Left out, `hand` has the command cards that are nowhere else, `pool` the soldiers and
    `clerks_pool` the clerks that are nowhere else; all honor came from `participation`.
    """

    general: str = ""
    active: Cards = ()
    supporting: Cards = ()
    hand: Cards | None = None
    discard: Cards = ()
    tactics: Cards = ()
    resources: dict[board.Resource, Few] = {}
    honor: Few = 0
    counted: dict[Source, Any_] | None = None
    pool: Troops | None = None
    shamed: Troops = {}
    lost: Troops = {}  # by type, soldiers that left the game: GW-16.11
    overseers: dict[board.Location, Overseer] = {}
    rest: dict[board.Section, Troops] = {}
    firing: dict[board.Section, Few] = {}
    clerks: dict[board.Location, Few] = {}
    clerks_pool: Few | None = None
    clerks_space: Few | None = None
    claimed: tuple[Claim, ...] = ()
    defeated: Cards = ()
    dealt_generals: Cards = ()
    dealt_advisors: Cards = ()
    leaders: Leaders | None = None
    command: str | None = None
    shown: str | None = None
    reaction: Reaction | None = None
    passing: Cards = ()


def row_of(names: Sequence[K], counts: Mapping[K, int]) -> Counts:
    """The counts in the order of the names; none where nothing is told."""
    return tuple(counts.get(name, 0) for name in names)


def named(names: Sequence[K], row: Sequence[int]) -> dict[K, int]:
    """The counts by name, but for those of which there are none."""
    return {name: count for name, count in zip(names, row, strict=True) if count}


def write_clan(clan: Clan) -> ClanPosition:
    """A clan as JSON."""
    return ClanPosition(
        general=clan.general,
        active=clan.active,
        supporting=clan.supporting,
        hand=clan.hand,
        discard=clan.discard,
        tactics=clan.tactics,
        resources=named(board.RESOURCES, clan.resources),
        honor=clan.honor,
        counted=named(SOURCES, clan.counted),
        pool=named(board.SOLDIERS, clan.pool),
        shamed=named(board.SOLDIERS, clan.shamed),
        lost=named(board.SOLDIERS, clan.lost),
        overseers={place: one for place in board.PRODUCTION if (one := clan.overseer(place))},
        rest={
            section: named(board.SOLDIERS, clan.resting(section))
            for section in board.SECTIONS
            if any(clan.resting(section))
        },
        firing=named(board.SECTIONS, clan.firing),
        clerks=named(board.LOCATIONS, clan.clerks),
        clerks_pool=clan.clerks_pool,
        clerks_space=clan.clerks_space,
        claimed=clan.claimed,
        defeated=clan.defeated,
        dealt_generals=clan.dealt_generals,
        dealt_advisors=clan.dealt_advisors,
        leaders=clan.leaders,
        command=clan.command,
        shown=clan.shown,
        reaction=clan.reaction,
        passing=clan.passing,
    )


def read_clan(
    told: ClanPosition, fresh: Clan, on_hordes: Counts, laid: Cards, commands: Cards
) -> Clan:
    """A clan from its JSON; BadPosition if the box does not hold it: GW-1.2.

    `fresh` is the clan as it begins, `on_hordes` has its soldiers on Horde cards by type, `laid`
    its command cards on the track, `commands` those that it holds at the start.
    """
    reed = not fresh.clerks_space and not fresh.clerks_pool
    clan = msgspec.structs.replace(
        fresh,
        general=told.general,
        active=told.active,
        supporting=told.supporting,
        discard=told.discard,
        tactics=told.tactics,
        resources=row_of(board.RESOURCES, told.resources),
        honor=told.honor,
        counted=row_of(SOURCES, _counted(told)),
        shamed=row_of(board.SOLDIERS, told.shamed),
        lost=row_of(board.SOLDIERS, told.lost),
        overseers=_overseers(told) if told.overseers else fresh.overseers,
        rest=tuple(row_of(board.SOLDIERS, told.rest.get(one, {})) for one in board.SECTIONS),
        firing=row_of(board.SECTIONS, told.firing),
        clerks=row_of(board.LOCATIONS, told.clerks) if told.clerks or not reed else fresh.clerks,
        claimed=told.claimed,
        defeated=told.defeated,
        dealt_generals=told.dealt_generals,
        dealt_advisors=told.dealt_advisors,
        leaders=told.leaders,
        command=told.command,
        shown=told.shown,
        reaction=told.reaction,
        passing=told.passing,
    )
    _read_hand(clan, told, laid, commands)
    _read_pool(clan, told, fresh, on_hordes)
    _read_clerks(clan, told, fresh)
    return clan


def _counted(told: ClanPosition) -> Mapping[Source, int]:
    counted: Mapping[Source, int] = {"participation": told.honor}
    if told.counted is not None:
        counted = told.counted
    require(sum(counted.values()) == told.honor, "`counted` adds up to the `honor`.")
    return counted


def _overseers(told: ClanPosition) -> tuple[Overseer | None, ...]:
    for place, overseer in told.overseers.items():
        require(place in PRODUCTION_NUMBER, f"There is no Overseer in {place}.")
        require(1 <= overseer.level <= board.OVERSEER_TOP, "Overseers have levels from 1 to 3.")
    return tuple(told.overseers.get(place) for place in board.PRODUCTION)


def _read_hand(clan: Clan, told: ClanPosition, laid: Cards, whole: Cards) -> None:
    """Each has every command card once; the Reed Clan has its own one: GW-1.2, GW-15.2."""
    chosen = tuple(card for card in (told.command, told.shown) if card)
    elsewhere = (*told.discard, *laid, *chosen)
    rest = tuple(card for card in whole if card not in elsewhere)
    clan.hand = rest if told.hand is None else told.hand
    if not whole:
        return
    cards = (*clan.hand, *elsewhere)
    require_different(cards, "hand")
    require(not clan.general or set(cards) == set(whole), "A clan has all six command cards.")
    require(set(cards) <= set(whole), f"Command cards are {', '.join(whole)}.")


def _read_pool(clan: Clan, told: ClanPosition, fresh: Clan, on_hordes: Counts) -> None:
    """No soldier is lost: GW-1.2, GW-10.1."""
    rows = (on_hordes, clan.shamed, clan.lost, *clan.rest)
    away = [sum(counts) for counts in zip(*rows, strict=True)]
    away[board.ARCHER] += sum(clan.firing)
    for new, old in zip(clan.overseers, fresh.overseers, strict=True):
        for overseer, count in ((new, 1), (old, -1)):
            if overseer:
                away[board.SOLDIER_NUMBER[overseer.soldier]] += count
    rest = tuple(all_ - gone for all_, gone in zip(fresh.pool, away, strict=True))
    clan.pool = rest if told.pool is None else row_of(board.SOLDIERS, told.pool)
    require(min(rest) >= 0 and clan.pool == rest, "A clan has 10 Spearmen, 4 Archers, 2 Horsemen.")


def _read_clerks(clan: Clan, told: ClanPosition, fresh: Clan) -> None:
    """No clerk is lost: GW-2.10."""
    total = fresh.clerks_owned + fresh.clerks_space
    space = fresh.clerks_space if told.clerks_space is None else told.clerks_space
    rest = total - space - sum(clan.clerks)
    pool = rest if told.clerks_pool is None else told.clerks_pool
    require(rest >= 0 and pool == rest, f"There are {total} clerks of a clan in all.")
    clan.clerks_pool, clan.clerks_space = pool, space
