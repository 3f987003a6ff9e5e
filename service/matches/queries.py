"""Queries: what a caller may see of a match, at its latest or any other version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import UNSET

from domain.audit.texts import Salts, content_of, openings, text_of
from domain.engine.game import describe_touch, legal_moves, split_view, touch_tree
from domain.engine.play import Move, Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.resources.texts import distinguish
from domain.engine.resources.tips import find_rule
from domain.engine.sentences import Words, touch_effect
from domain.engine.touches import Touch, kind_of
from domain.match import visibility
from domain.match.decisions import lessons, rematch
from domain.match.decisions.absence import count_days, patience_ends
from domain.match.log import AnyEvent, Entry, read_events, read_move
from domain.match.outcome import outcome_of
from domain.match.scheduled_work import due_work
from domain.match.state import Clocks, Match, Pause, Proposal
from domain.match.undoing.request import UndoRequest
from projections.core.pending import PendingProposal, PendingUndo
from service.accounts.people.meeting import may_know
from service.matches.container import Annals
from service.runtime.errors import NotFound

NO_SUCH_MATCH = "There is no such match."
REQUEST_PREFIX = "pick_"
"""Begins the keys of requests for touches in the texts of a game, by their kind."""
Json = dict[str, Any]
Names = Mapping[str, str]


def match_for(annals: Annals, match_id: str, player: str | None) -> Match:
    """Return the latest state of a match. Raises NotFound if the caller may not know of it."""
    match = annals.matches.latest(match_id)
    check_known(annals, match, player)
    return match


def check_known(annals: Annals, match: Match, player: str | None) -> None:
    """Raise NotFound if the caller may not know of the match."""
    viewing_seat(match, player)
    check_people(annals, match, player)


def check_people(annals: Annals, match: Match, player: str | None) -> None:
    """Raise NotFound if the match has not started, and someone sits there whom the caller may not
    meet.
    """
    if not may_know(annals.store.redis, match, player):
        raise NotFound(NO_SUCH_MATCH)


def is_final(match: Match) -> bool:
    """Return whether the match is final: no entry can follow."""
    return match.status in ("scored", "aborted") and not due_work(match)


def viewing_seat(match: Match, player: str | None) -> Seat | None:
    """Return the seat as which the caller sees the match, None for spectators. Raises NotFound if
    it is private, and they take no part.
    """
    if not visibility.can_see(match, player):
        raise NotFound(NO_SUCH_MATCH)
    return visibility.default_viewer_seat(match, player)


def at_version(annals: Annals, match: Match, version: int | None) -> Match:
    """Return the match at a version; the match itself for None. Raises NotFound."""
    if version is None or version == match.version:
        return match
    if version > match.version:
        raise NotFound(f"The match has only {match.version} versions.")
    return annals.matches.at(match.id, version)


def table_view(match: Match, seat: Seat | None, names: Names, board: bool = True) -> Json:
    """Return a match as JSON values and records, as a seat or a spectator sees it.

    `names` maps its players to their current names. Without `board` the view has only what can
    change.
    """
    view = visibility.view(match, seat)
    return {
        "id": match.id,
        "game": match.game.key,
        "status": match.status,
        "version": match.version,
        "head": match.head.hex(),
        "created_at": iso(match.created_at),
        "updated_at": iso(match.updated_at),
        "host": match.host,
        "visibility": match.visibility,
        "options": match.options,
        "undo": match.undo_policy,
        "clock": match.clock_rule,
        "on_timeout": match.on_timeout,
        "min_reliability": match.min_reliability,
        "patience_days": count_days(match.patience_ms),
        "unrated": match.unrated,
        "forked_from": match.forked_from,
        "lesson": match.lesson,
        "seed_hash": match.seed_hash,
        "seed_index": match.seed_index,
        "ends_at": match.ends_at and iso(match.ends_at),
        "keep_from": match.keep_from and iso(match.keep_from),
        "nonces_until": match.nonces_due_at and iso(match.nonces_due_at),
        "seats": [_chair(match, one, names) for one in range(len(match.chairs))],
        "as": seat,
        "awaiting": awaiting(match),
        "clocks": match.clocks and _clocks(match.clocks),
        "undo_request": undo_request(match.undo_request),
        "proposal": proposal(match.proposal),
        "pause": match.pause and pause(match.pause),
        "view": view if board or view is None else split_view(match.game, view)[1],
        "scores": view and view.scores,
        "end_reason": match.end_reason,
        "result": match.scoring,
        "outcome": outcome_of(match),
        "seed": seed_if_over(match),
        "series": match.series_score or match.series,
        "next_match": match.next_match,
        "previous_match": match.previous_match,
        "totals": rematch.totals_of(match),
    }


def seed_if_over(match: Match) -> str | None:
    """Return the seed in hexadecimal once the match is over, else None."""
    return match.seed.hex() if match.status in ("scored", "aborted") else None


def board_view(match: Match) -> Json:
    """Return the part of the public view that never changes, also before the start."""
    return split_view(match.game, match.game.view(match.blank_state(), None))[0]


def player_names(annals: Annals, match: Match, language: str = ENGLISH) -> Names:
    """Return the current names of a match's players in a language, by id."""
    players = {chair.player for chair in match.chairs if chair.player}
    return annals.players.names(players, language)


def seat_names(annals: Annals, match: Match, language: str = ENGLISH) -> tuple[str | None, ...]:
    """Return the current name on each seat, with bots named in a language and equal names made
    distinct; None for a free seat.
    """
    names, bots = player_names(annals, match, language), match.game.bot_names(language)
    return distinguish(
        [
            names.get(chair.player) if chair.player else bots.get(chair.bot or "")
            for chair in match.chairs
        ]
    )


def sees_own_seat(match: Match, seat: Seat | None, player: str | None) -> bool:
    """Whether who looks from this seat, or as a spectator (None), holds it."""
    return seat is None or seat in match.seats_of(player)


def awaiting(match: Match) -> list[Json]:
    """Return the seats that must decide, each with the step and the deadline."""
    if not match.seats_to_move:
        return []
    step, until = match.state.agenda[-1], patience_ends(match)
    return [
        {
            "seat": seat,
            "player": match.chairs[seat].player,
            "bot": match.chairs[seat].bot,
            "step": step,
            "deadline": _deadline(match.clocks, seat),
            "patience_until": iso(until[seat]) if seat in until.keys() - match.absent else None,
            "absent": seat in match.absent,
        }
        for seat in match.seats_to_move
    ]


def moves_of(match: Match, seat: Seat) -> Sequence[Move]:
    """Return every legal move of a seat, in a lesson those that its step asks for; none while a bot
    plays it, or in a pause.
    """
    waits = match.status != "active" or match.pause is not None
    if waits or not match.chairs[seat].human:
        return []
    return lessons.moves_asked(match, seat, legal_moves(match.game, match.state, seat))


def touch_guide(
    annals: Annals, match: Match, seat: Seat, moves: Sequence[Move], language: str
) -> Json:
    """Return how a seat can point at legal moves: the touches of each, parts of names, and labels
    in a language, in the order of their kinds.
    """
    if not moves:  # before the start there is no view
        return {"ways": [], "parts": [], "names": []}
    view, game = visibility.view(match, seat), match.game
    pointed = touch_tree(game, view, moves)
    kinds = [kind.kind for kind in game.touch_kinds]
    names = sorted(
        dict.fromkeys(name for ladder in pointed.part_chains.values() for name in ladder),
        key=lambda name: kinds.index(kind_of(name)),
    )
    return {
        "ways": [list(game.pointing.touches(view, move)) for move in moves],
        "parts": [{"part": part, "contains": held} for part, held in pointed.parts.items()],
        "names": label_touches(annals, match, seat, names, language),
    }


def label_touches(
    annals: Annals, match: Match, seat: Seat, touches: Iterable[Touch], language: str
) -> list[Json]:
    """Return touches with their labels, what cards do, the rule behind them, and the request for a
    touch of their kind, in a language.
    """
    view, game = visibility.view(match, seat), match.game
    words = game.words(language, seat_names(annals, match, language))
    return [
        {
            "name": touch,
            "label": words.say(label),
            "effect": effect and words.line(effect),
            "rule": find_rule(game.resources.tips, touch),
            "request": _request_touch(kind_of(touch), words) or words.say(label),
        }
        for touch in touches
        for label in [describe_touch(game, touch, view)]
        for effect in [touch_effect(touch, view, game.sayings)]
    ]


def _request_touch(kind: str, words: Words) -> str:
    """Return a request for a touch of a kind, such as `choose a post`; "" for a word whose label is
    one.
    """
    key = f"{REQUEST_PREFIX}{kind}"
    return words(key) if key in words.texts else ""


def entry_view(match: Match, entry: Entry, seat: Seat | None) -> Json:
    """Return an entry as a seat, or a spectator, may see it in the match's current state."""
    events = read_events(match.game, entry.events)
    return {
        "version": entry.version,
        "kind": entry.kind,
        "actor": entry.actor,
        "at": iso(entry.at),
        "rules": entry.rules,
        "move": _move(match, entry, seat),
        "events": visible_events(match, events, seat),
        "head": entry.head.hex(),
    }


def proof_of(match: Match, entry: Entry, seat: Seat | None) -> Json:
    """Return the text of an entry, and the openings of what a seat, or a spectator, may know of
    it.
    """
    content = content_of(match.game, entry)
    salts = Salts(match.id, match.salt_key)
    return {
        "text": text_of(salts, entry, content).decode(),
        "openings": [
            opening
            for owner, opening in openings(salts, entry, content)
            if visibility.can_open(match, owner, seat)
        ],
    }


def visible_events(match: Match, events: Sequence[AnyEvent], seat: Seat | None) -> list[AnyEvent]:
    """Return events as a seat, or a spectator, may see them in the match's current state."""
    return [visibility.redact_event(match, event, seat) for event in events]


def iso(at: int) -> str:
    """Return a time in ms since the epoch as ISO 8601 in UTC."""
    moment = datetime.fromtimestamp(at // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at % 1000:03d}Z"


def _move(match: Match, entry: Entry, seat: Seat | None) -> Move | None:
    if not entry.move:
        return None
    move = read_move(match.game, entry.move)
    if visibility.can_read_move(match, move.sealed, move.seat, seat):
        return move
    return None


def _chair(match: Match, seat: Seat, names: Names) -> Json:
    chair = match.chairs[seat]
    return {
        "seat": seat,
        "player": chair.player,
        "name": names.get(chair.player) if chair.player else None,
        "bot": chair.bot,
        "invited": chair.invited,
        "declined": match.declined.get(seat),
        "replaceable": seat in match.replaceable,
        "resigned": chair.resigned,
        "commitment": chair.commitment,
        "nonce": match.nonces[seat] if match.nonces else None,
    }


def _clocks(clocks: Clocks) -> Json:
    return {
        "left_ms": clocks.banks,
        "running": clocks.running,
        "since": iso(clocks.since),
        "deadline": None if clocks.deadline is None else iso(clocks.deadline),
    }


def _deadline(clocks: Clocks | None, seat: Seat) -> str | None:
    if clocks is None or seat not in clocks.running:
        return None
    return iso(clocks.since + max(0, clocks.banks[seat]))


def undo_request(pending: UndoRequest | PendingUndo | None) -> Json | None:
    """Return a pending undo or redo request, if there is one."""
    if pending is None:
        return None
    return {
        "player": pending.player,
        "to": pending.to,
        "redo": pending.redo,
        "moves": None if pending.moves is UNSET else pending.moves,
        "waiting_for": pending.asked,
        "expires": iso(pending.expires),
    }


def proposal(pending: Proposal | PendingProposal | None) -> Json | None:
    """Return a pending proposal, if there is one."""
    if pending is None:
        return None
    return {
        "kind": pending.kind,
        "player": pending.player,
        "waiting_for": pending.asked,
        "expires": iso(pending.expires),
    }


def pause(paused: Pause) -> Json:
    """Return a pause."""
    return {
        "player": paused.player,
        "since": iso(paused.since),
        "until": iso(paused.until),
    }
