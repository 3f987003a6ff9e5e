"""What a clan owns as JSON: reads it, refuses contradictions, and writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeVar

import msgspec

from domain.engine.errors import require, require_distinct
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
    """What a clan owns, and where its pieces are.

    If left out, `hand` has the command cards that are nowhere else, `pool` the soldiers and
    `clerks_pool` the clerks that are nowhere else; all honor comes from `participation`.
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
    """The counts in the order of the names; 0 for names without a count."""
    return tuple(counts.get(name, 0) for name in names)


def name_counts(names: Sequence[K], row: Sequence[int]) -> dict[K, int]:
    """The counts by name, without zeros."""
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
        resources=name_counts(board.RESOURCES, clan.resources),
        honor=clan.honor,
        counted=name_counts(SOURCES, clan.counted),
        pool=name_counts(board.SOLDIERS, clan.pool),
        shamed=name_counts(board.SOLDIERS, clan.shamed),
        lost=name_counts(board.SOLDIERS, clan.lost),
        overseers={place: one for place in board.PRODUCTION if (one := clan.overseer(place))},
        rest={
            section: name_counts(board.SOLDIERS, clan.resting(section))
            for section in board.SECTIONS
            if any(clan.resting(section))
        },
        firing=name_counts(board.SECTIONS, clan.firing),
        clerks=name_counts(board.LOCATIONS, clan.clerks),
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
    given: ClanPosition, fresh: Clan, on_hordes: Counts, laid: Cards, commands: Cards
) -> Clan:
    """A clan from its JSON. Raises BadPosition if the box does not hold its pieces: GW-1.2.

    `fresh` is the clan at the start, `on_hordes` has its soldiers on Horde cards by type, `laid`
    its command cards on the track, `commands` those that it holds at the start.
    """
    reed = not fresh.clerks_space and not fresh.clerks_pool
    clan = msgspec.structs.replace(
        fresh,
        general=given.general,
        active=given.active,
        supporting=given.supporting,
        discard=given.discard,
        tactics=given.tactics,
        resources=row_of(board.RESOURCES, given.resources),
        honor=given.honor,
        counted=row_of(SOURCES, _read_counted(given)),
        shamed=row_of(board.SOLDIERS, given.shamed),
        lost=row_of(board.SOLDIERS, given.lost),
        overseers=_overseers(given) if given.overseers else fresh.overseers,
        rest=tuple(row_of(board.SOLDIERS, given.rest.get(one, {})) for one in board.SECTIONS),
        firing=row_of(board.SECTIONS, given.firing),
        clerks=row_of(board.LOCATIONS, given.clerks) if given.clerks or not reed else fresh.clerks,
        claimed=given.claimed,
        defeated=given.defeated,
        dealt_generals=given.dealt_generals,
        dealt_advisors=given.dealt_advisors,
        leaders=given.leaders,
        command=given.command,
        shown=given.shown,
        reaction=given.reaction,
        passing=given.passing,
    )
    _read_hand(clan, given, laid, commands)
    _read_pool(clan, given, fresh, on_hordes)
    _read_clerks(clan, given, fresh)
    return clan


def _read_counted(given: ClanPosition) -> Mapping[Source, int]:
    counted: Mapping[Source, int] = {"participation": given.honor}
    if given.counted is not None:
        counted = given.counted
    require(sum(counted.values()) == given.honor, "`counted` adds up to the `honor`.")
    return counted


def _overseers(given: ClanPosition) -> tuple[Overseer | None, ...]:
    for place, overseer in given.overseers.items():
        require(place in PRODUCTION_NUMBER, f"There is no Overseer in {place}.")
        require(1 <= overseer.level <= board.OVERSEER_TOP, "Overseers have levels from 1 to 3.")
    return tuple(given.overseers.get(place) for place in board.PRODUCTION)


def _read_hand(clan: Clan, given: ClanPosition, laid: Cards, whole: Cards) -> None:
    """Set the hand, so that each clan has every command card once: GW-1.2, GW-15.2."""
    chosen = tuple(card for card in (given.command, given.shown) if card)
    elsewhere = (*given.discard, *laid, *chosen)
    rest = tuple(card for card in whole if card not in elsewhere)
    clan.hand = rest if given.hand is None else given.hand
    if not whole:
        return
    cards = (*clan.hand, *elsewhere)
    require_distinct(cards, "hand")
    require(not clan.general or set(cards) == set(whole), "A clan has all six command cards.")
    require(set(cards) <= set(whole), f"Command cards are {', '.join(whole)}.")


def _read_pool(clan: Clan, given: ClanPosition, fresh: Clan, on_hordes: Counts) -> None:
    """Set the pool, so that no soldier is missing: GW-1.2, GW-10.1."""
    rows = (on_hordes, clan.shamed, clan.lost, *clan.rest)
    away = [sum(counts) for counts in zip(*rows, strict=True)]
    away[board.ARCHER] += sum(clan.firing)
    for new, old in zip(clan.overseers, fresh.overseers, strict=True):
        for overseer, count in ((new, 1), (old, -1)):
            if overseer:
                away[board.SOLDIER_NUMBER[overseer.soldier]] += count
    rest = tuple(all_ - gone for all_, gone in zip(fresh.pool, away, strict=True))
    clan.pool = rest if given.pool is None else row_of(board.SOLDIERS, given.pool)
    require(min(rest) >= 0 and clan.pool == rest, "A clan has 10 Spearmen, 4 Archers, 2 Horsemen.")


def _read_clerks(clan: Clan, given: ClanPosition, fresh: Clan) -> None:
    """Set the clerks, so that none is missing: GW-2.10."""
    total = fresh.clerks_owned + fresh.clerks_space
    space = fresh.clerks_space if given.clerks_space is None else given.clerks_space
    rest = total - space - sum(clan.clerks)
    pool = rest if given.clerks_pool is None else given.clerks_pool
    require(rest >= 0 and pool == rest, f"A clan has {total} clerks in total.")
    clan.clerks_pool, clan.clerks_space = pool, space
