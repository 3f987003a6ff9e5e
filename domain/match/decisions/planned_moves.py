"""Moves that a player plans: made by the service if what the player pointed at is as it was.

What they point at is in the view of a spectator, so a plan neither shows nor depends on what others
may not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from domain.engine.codecs.json_codec import find_move, json_round_trip
from domain.engine.errors import NotYourTurn, Refusal
from domain.engine.play import Move, Seat
from domain.match.decisions import playing
from domain.match.decisions.forced_moves import may_play_itself
from domain.match.log import Draft, read_move
from domain.match.state import Match
from domain.match.visibility import view

INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
ESCAPED = re.compile(r"~([01])")
DropReason = Literal["changed", "illegal", "moved", "undone"]
"""What a player pointed at has changed, the move is illegal, their seat made another move, or they
undid the move after which they planned.
"""


class PlannedMove(msgspec.Struct, frozen=True):
    """A move as JSON, the JSON pointers to what has to be as it was, and the hash of that."""

    seat: Seat
    move: str
    unchanged: tuple[str, ...]
    hash: str


class PlanDrop(msgspec.Struct, frozen=True):
    """When a plan was dropped (ms since the epoch), and why."""

    at: int
    reason: DropReason


class PlannedMoves(msgspec.Struct, frozen=True):
    """The moves that a player plans, in order, and the version of the game after which they planned
    them, or after which the last of them was made.
    """

    version: int
    moves: tuple[PlannedMove, ...] = ()
    dropped: PlanDrop | None = None


def public_view(match: Match) -> Any:
    """The view of a spectator as JSON values, into which pointers of a plan lead."""
    return json_round_trip(view(match, None))


def follow_pointer(document: Any, pointer: str) -> Any:
    """The value at a JSON pointer (RFC 6901). Raises LookupError if there is none."""
    if pointer and not pointer.startswith("/"):
        raise LookupError(pointer)
    found = document
    for step in pointer.split("/")[1:]:
        if isinstance(found, list):
            if not INDEX.fullmatch(step):
                raise LookupError(pointer)
            found = found[int(step)]
        elif isinstance(found, dict):
            found = found[ESCAPED.sub(lambda one: "~/"[int(one[1])], step)]
        else:
            raise LookupError(pointer)
    return found


def hash_values(document: Any, pointers: Iterable[str]) -> str:
    """SHA-256 in hexadecimal of the values at these pointers, each of which counts once: twenty
    pointers to a whole view would cost as much as twenty views. Raises LookupError.
    """
    values = [follow_pointer(document, pointer) for pointer in dict.fromkeys(pointers)]
    return sha256(msgspec.json.encode(values, order="sorted")).hexdigest()


def update_plan(
    match: Match, planned: PlannedMoves, is_forced: Callable[[int], bool]
) -> PlannedMoves:
    """The plan after what has happened since: without the moves that were made, or dropped.

    `is_forced` says whether the move of a version played itself; it drops no plan.
    """
    if not planned.moves:
        return planned
    if planned.version not in {point.version for point in match.line}:
        return _drop(match, planned, "undone")
    seats = {one.seat for one in planned.moves}
    for point in match.line[match.points_until(planned.version) :]:
        made = read_move(match.game, point.move) if point.move else None
        if made is None or made.seat not in seats:
            continue
        if not planned.moves:
            break
        if made == _read(match, planned.moves[0]):
            planned = replace(planned, version=point.version, moves=planned.moves[1:])
        elif not is_forced(point.version):
            return _drop(match, planned, "moved")
    return planned


def find_planned_move(
    match: Match, player: str, planned: PlannedMoves, now: int
) -> tuple[PlannedMoves, Move | None]:
    """The first move of an updated plan, if the service may make it now, and the plan: dropped if
    the player has to decide, and it does not fit.
    """
    if not planned.moves:
        return planned, None
    first = planned.moves[0]
    if match.chairs[first.seat].player != player or not may_play_itself(match, first.seat, now):
        return planned, None
    if not _is_unchanged(match, first):
        return _drop(match, planned, "changed"), None
    move = _read(match, first)
    if move is None or not _is_legal(match, move):
        return _drop(match, planned, "illegal"), None
    return planned, move


def play_planned_move(match: Match, move: Move, now: int) -> Draft:
    """Make a planned move: an entry as that of any other move. Raises Refusal if it is illegal, or
    has to wait.
    """
    playing.require_running(match)
    if not may_play_itself(match, move.seat, now):
        raise NotYourTurn
    return playing.move(match, move, now)


def _is_unchanged(match: Match, planned: PlannedMove) -> bool:
    try:
        return hash_values(public_view(match), planned.unchanged) == planned.hash
    except LookupError:
        return False


def _is_legal(match: Match, move: Move) -> bool:
    try:
        playing.preview(match, move)
    except Refusal:
        return False
    return True


def _read(match: Match, planned: PlannedMove) -> Move | None:
    return find_move(match.game, planned.seat, msgspec.json.decode(planned.move))


def _drop(match: Match, planned: PlannedMoves, reason: DropReason) -> PlannedMoves:
    """The plan without its moves. It was dropped at the time of the last entry, so that it makes no
    difference who finds it out first.
    """
    return PlannedMoves(planned.version, dropped=PlanDrop(match.updated_at, reason))
