"""The warnings of deadlines that are scheduled for a match."""

from __future__ import annotations

from collections.abc import Mapping

from domain.engine.play import Seat
from domain.notices import (
    DeadlineWarning,
    deadline_warnings,
    idle_warnings,
    patience_warnings,
    pause_warnings,
)
from projections.core.spaces import Change
from projections.core.summary import Summary


def deciding(match: Summary | None) -> Mapping[Seat, int | None]:
    """Return the seats at which a person has to decide, with their deadlines (ms since
    the epoch).
    """
    if match is None or match.status != "active":
        return {}
    return {who.seat: who.deadline for who in match.awaiting if match.seats[who.seat].human}


def warnings_of(match: Summary) -> list[DeadlineWarning]:
    """Return the warnings to schedule for a match as it is now."""
    if match.clock is None:
        now = match.version, match.updated_at
        alone = idle_warnings(*now, match.ends_at, match.idle_ms)
        return [*alone, *patience_warnings(*now, match.patience_ends, match.patience_ms)]
    if match.pause is not None:
        return list(pause_warnings(match.version, match.updated_at, match.pause))
    deadlines = {seat: at for seat, at in deciding(match).items() if at is not None}
    return list(deadline_warnings(match.version, match.clock, match.updated_at, deadlines))


def obsolete_warnings(change: Change) -> list[DeadlineWarning]:
    """Return the scheduled warnings that a change has made obsolete."""
    before = warnings_of(change.before) if change.before else []
    return [one for one in before if one.at > change.after.updated_at]
