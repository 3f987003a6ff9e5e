"""Queries: what a caller may see of a match, now or at any version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from domain.audit.texts import Salts, content_of, openings, text_of
from domain.engine.game import call, legal_moves, parted, tree
from domain.engine.play import Move, Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import apart
from domain.match import visibility
from domain.match.log import AnyEvent, Entry, read_events, read_move
from domain.match.scheduled_work import due
from domain.match.state import Clocks, Match
from service.matches.container import Annals
from service.runtime.errors import NotFound

Json = dict[str, Any]
Names = Mapping[str, str]


def match_for(annals: Annals, match_id: str, player: str | None) -> Match:
    """The match as it stands, if the caller may know of it; NotFound if not."""
    match = annals.matches.latest(match_id)
    eyes(match, player)
    return match


def settled(match: Match) -> bool:
    """Whether nothing more will ever be recorded."""
    return match.status in ("scored", "aborted") and not due(match)


def eyes(match: Match, player: str | None) -> Seat | None:
    """The seat as which the caller sees the match, None for spectators; NotFound if they may not
    know of it.
    """
    if not visibility.knows(match, player):
        raise NotFound("There is no such match.")
    return visibility.viewing_seat(match, player)


def at_version(annals: Annals, match: Match, version: int | None) -> Match:
    """The match as it was at a version; as it is if none is given."""
    if version is None or version == match.version:
        return match
    if version > match.version:
        raise NotFound(f"The match has only come to version {match.version}.")
    return annals.matches.at(match.id, version)


def table_view(match: Match, seat: Seat | None, names: Names, board: bool = True) -> Json:
    """A match as JSON values and records, as a seat or a spectator sees it.

    `names` are those of its players now, by id. Without `board` the view has only what can change.
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
        "unrated": match.unrated,
        "forked_from": match.forked_from,
        "seed_hash": match.seed_hash,
        "seed_index": match.seed_index,
        "nonces_until": match.opening and iso(match.opening),
        "seats": [_chair(match, place, names) for place in range(len(match.chairs))],
        "as": seat,
        "awaiting": awaiting(match),
        "clocks": match.clocks and _clocks(match.clocks),
        "undo_request": match.undo_request and undo_request(match),
        "view": view if board or view is None else parted(match.game, view)[1],
        "scores": view and view.scores,
        "result": match.scoring,
        "seed": revealed_seed(match),
        "series": match.series_score or match.series,
        "next_match": match.next_match,
    }


def revealed_seed(match: Match) -> str | None:
    """The seed in hexadecimal, once nothing follows from it any more."""
    return match.seed.hex() if match.status in ("scored", "aborted") else None


def board_view(match: Match) -> Json:
    """What lasts all through a match of what anybody sees, also before the start."""
    return parted(match.game, match.game.view(match.blank(), None))[0]


def names_at(annals: Annals, match: Match) -> Names:
    """The names that the players of a match have now, by id."""
    return annals.players.names({chair.player for chair in match.chairs if chair.player})


def seat_names(annals: Annals, match: Match, language: str = ENGLISH) -> tuple[str | None, ...]:
    """The name of whoever sits on each seat now, bots by theirs in a language, told apart where
    two are alike; None if nobody does.
    """
    names, bots = names_at(annals, match), match.game.bots(language)
    return apart(
        [
            names.get(chair.player) if chair.player else bots.get(chair.bot or "")
            for chair in match.chairs
        ]
    )


def awaiting(match: Match) -> list[Json]:
    """Who has to decide now, about which step, and until when."""
    if not match.awaited:
        return []
    step = match.state.agenda[-1]
    return [
        {
            "seat": seat,
            "player": match.chairs[seat].player,
            "bot": match.chairs[seat].bot,
            "step": step,
            "deadline": _deadline(match.clocks, seat),
        }
        for seat in match.awaited
    ]


def moves_of(match: Match, seat: Seat) -> Sequence[Move]:
    """Every move that a seat can make now; none while a bot plays it."""
    if match.status != "active" or not match.chairs[seat].human:
        return []
    moves: Sequence[Move] = legal_moves(match.game, match.state, seat)
    return moves


def ways_to(annals: Annals, match: Match, seat: Seat, moves: Sequence[Move], language: str) -> Json:
    """How a seat can point at moves that are legal: the ways to each, the parts of names, and what
    names stand for in a language.
    """
    if not moves:  # perhaps before there is anything to see
        return {"ways": [], "parts": [], "names": []}
    view, game = visibility.view(match, seat), match.game
    pointed = tree(game, view, moves)
    names = dict.fromkeys(name for ladder in pointed.ladders.values() for name in ladder)
    words = game.words(language, seat_names(annals, match, language))
    return {
        "ways": [list(game.touches(view, move)) for move in moves],
        "parts": [{"part": part, "holds": held} for part, held in pointed.parts.items()],
        "names": [{"name": name, "says": words.say(call(game, name, view))} for name in names],
    }


def served_entry(match: Match, entry: Entry, seat: Seat | None) -> Json:
    """An entry as a seat, or a spectator, of the match as it stands may read it."""
    events = read_events(match.game, entry.events)
    return {
        "version": entry.version,
        "kind": entry.kind,
        "actor": entry.actor,
        "at": iso(entry.at),
        "rules": entry.rules,
        "move": _move(match, entry, seat),
        "events": seen_events(match, events, seat),
        "head": entry.head.hex(),
    }


def proof_of(match: Match, entry: Entry, seat: Seat | None) -> Json:
    """The text of an entry, and the openings of what a seat, or a spectator, may know of it."""
    content = content_of(match.game, entry)
    salts = Salts(match.id, match.salt_key)
    return {
        "text": text_of(salts, entry, content).decode(),
        "openings": [
            opening
            for owner, opening in openings(salts, entry, content)
            if visibility.may_open(match, owner, seat)
        ],
    }


def seen_events(match: Match, events: Sequence[AnyEvent], seat: Seat | None) -> list[AnyEvent]:
    """Events as a seat, or a spectator, of the match as it stands may know them."""
    return [visibility.seen(match, event, seat) for event in events]


def iso(at: int) -> str:
    """A time in ms since the epoch as ISO 8601 in UTC."""
    moment = datetime.fromtimestamp(at // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at % 1000:03d}Z"


def _move(match: Match, entry: Entry, seat: Seat | None) -> Move | None:
    if not entry.move:
        return None
    move = read_move(match.game, entry.move)
    if visibility.sees_move(match, move.sealed, move.seat, seat):
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


def undo_request(match: Match) -> Json:
    """The undo, or redo, that is asked for."""
    request = match.undo_request
    assert request
    return {
        "player": request.player,
        "to": request.to,
        "redo": request.redo,
        "asked": request.asked,
        "expires": iso(request.expires),
    }
