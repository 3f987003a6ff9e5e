"""The page of a match, complete enough to watch it without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flask import Response, request

from domain.analysis.analysis import Analysis
from domain.analysis.hints import allows_hints
from domain.engine.game import Game
from domain.match import visibility
from domain.match.decisions import giving_time, lessons, undo
from domain.match.events import UndoAnswered
from domain.match.log import read_events
from domain.match.state import Match
from service.accounts.invitations import is_invitation
from service.channels.mail.opened import mark_opened
from service.http.context import annals, context, viewer_id
from service.http.responses.lesson_responses import show_progress
from service.matches import queries
from service.matches.profiles import BOT_PREFIX
from service.matches.sentences import Narrator, acting_seat, narrator_for
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.views import table
from service.page.views.match_lists import describe_duration
from service.page.views.others import describe_patience, show_absence, show_next
from service.page.views.result import show_result
from service.page.views.rules.aid import link_aid
from service.page.views.themes import make_sheet
from service.page.visitor import visitor_language
from service.runtime.event_loop import in_steps
from service.talk.messages import Room
from service.talk.reading import Unread, find_unread
from service.talk.rooms import rooms_of

KIND_PREFIX = "kind_"
"""Begins the keys of the headings of kinds of touches in the texts of a game."""
OF_LESSONS, OF_TALK = ("lessons/panel.js",), ("talk/open.js",)
LOG_ENTRIES = 50
"""Number of entries in the log, the latest ones."""


@bp.get("/matches/<match_id:match_id>")
def match(match_id: str) -> Response:
    """A match as the visitor may see it; in hot seat as spectators may, since the page can't know
    who looks at it.
    """
    shown, language = _find_match(match_id), visitor_language()
    if not table.has_started(shown) or _wants_seat(shown):
        return table.show(shown)
    own = shown.seats_of(viewer_id())
    if own and request.headers.get("Sec-Fetch-Dest", "document") == "document":
        mark_opened(annals(), viewer_id() or "", shown)  # a tab in the background asks otherwise
    hot_seat = len(own) > 1 and visibility.hides_something(shown.game) and not shown.revealed
    seat = None if hot_seat else visibility.default_viewer_seat(shown, viewer_id())
    narrator = narrator_for(annals(), shown, seat, language)
    analysis, lesson = _find_analysis(shown), lessons.find_lesson(shown)
    seats, log = list(_seats(shown, language, narrator)), list(_log(shown, narrator))
    rooms = rooms_of(shown, viewer_id())
    return render(
        "match",
        modules=("match/match.js", *OF_LESSONS[: bool(lesson)], *OF_TALK[: bool(rooms)]),
        talk_rooms=rooms,
        unread=_find_unread(shown, rooms),
        title=shown.game.title_in(language),
        match=shown,
        colours=make_sheet(shown.game)[1],
        lesson=lesson and show_progress(shown, lesson, language),
        hot_seat=hot_seat,
        now=queries.iso(annals().now()),
        seats=seats,
        undo_makes_unrated=undo.makes_unrated(shown, viewer_id() or ""),
        restore_unrates=shown.unrated is None and len(shown.deciding_players()) == 1,
        requesters=[seat for seat in seats if seat["requests_undo"]],
        proposal=_show_proposal(shown, seats),
        pause=shown.pause and queries.pause(shown.pause),
        absence=show_absence(shown, seats, viewer_id()),
        patience=describe_patience(shown, words_in(language)),
        sits=bool(own),
        others=[seat["name"] for seat in seats if not seat["mine"]],
        has_hints=bool(own) and allows_hints(shown),
        viewers=[seat for seat in seats if shown.over and own != (seat["seat"],)],
        final=queries.is_final(shown),
        result=show_result(shown, analysis, [seat["name"] for seat in seats], language),
        following=show_next(shown, language),
        usual_gift=_usual_gift(shown, language),
        narrator=narrator,
        kinds=list(_kinds(shown.game, language)),
        aid=link_aid(shown.game, language),
        goal=shown.game.goal_in(language, shown.options.get("mode", "")),
        knows_goal=any(_is_move_of(entry, viewer_id() if own else None) for entry in log),
        log=log,
    )


def _wants_seat(match: Match) -> bool:
    """Whether the visitor looks for the seat of an absent player, perhaps by a link that shows them
    no more of a private match.
    """
    can_see = visibility.can_see(match, viewer_id())
    return bool(match.replaceable) and ("seat" in request.args or not can_see)


def _find_match(match_id: str) -> Match:
    """The match that the visitor may know of, perhaps by a link with an invitation. Raises
    NotFound.
    """
    match = annals().matches.latest(match_id)
    if is_invitation(match, request.args.get("invite")):
        queries.check_people(annals(), match, viewer_id())
    else:
        queries.check_known(annals(), match, viewer_id())
    return match


def _usual_gift(match: Match, language: str) -> str:
    """How much time others usually get, in words; empty without a clock."""
    rule = match.clock_rule
    return describe_duration(giving_time.usual_gift_s(rule), words_in(language)) if rule else ""


def _find_unread(match: Match, rooms: Sequence[Room]) -> dict[Room, Unread]:
    """What the visitor has not read, by room."""
    found = find_unread(annals(), viewer_id() or "", [(match.id, room) for room in rooms])
    return dict(zip(rooms, found, strict=True))


def _find_analysis(match: Match) -> Analysis | None:
    """The analysis, if there is one; the page requests none by itself."""
    return context().analyses.find(match.game, match.id) if match.scoring else None


def _seats(match: Match, language: str, narrator: Narrator) -> Iterator[dict[str, Any]]:
    """Who has each seat and its mark, whether it has to move or has won, whether its time was up,
    and whether its player requests an undo.
    """
    names, me = queries.seat_names(annals(), match, language), viewer_id()
    bots = match.game.bot_names(language)
    requester = match.undo_request and match.undo_request.player
    for seat, chair in enumerate(match.chairs):
        bot = bots.get(chair.bot or "", "")
        yield {
            "seat": seat,
            "name": names[seat] or "",
            "mark": match.game.seat_mark(narrator.view, seat).sign,
            "competitor": chair.player or f"{BOT_PREFIX}{chair.bot}",
            "bot": bot if chair.player else "",
            "mine": chair.player is not None and chair.player == me,
            "resigned": chair.resigned,
            "timed_out": seat in match.timed_out,
            "won": match.scoring is not None and seat in match.scoring.winners,
            "decides": seat in match.seats_to_move,
            "requests_undo": chair.player is not None and chair.player == requester,
        }


def _show_proposal(match: Match, seats: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The pending proposal: who made it, for whom it waits, and what the visitor can do about it;
    None without one.
    """
    proposal, me = match.proposal, viewer_id()
    if proposal is None:
        return None
    names: dict[str, str] = {}
    for seat in seats:
        names.setdefault(match.chairs[seat["seat"]].player or "", seat["name"])
    return {
        "kind": proposal.kind,
        "who": names[proposal.player],
        "waiting": [names[player] for player in proposal.asked],
        "mine": proposal.player == me,
        "asked": me in proposal.asked,
    }


def _kinds(game: Game[Any], language: str) -> Iterator[tuple[str, str]]:
    """The kinds of touches with headings, in the order of the game."""
    texts = game.words(language).texts
    for kind in game.touch_kinds:
        if heading := texts.get(f"{KIND_PREFIX}{kind.kind}"):
            yield kind.kind, heading


def _is_move_of(entry: dict[str, Any], player: str | None) -> bool:
    """Whether an entry is a move of a player, or of any if None: after it they know the goal."""
    return entry["kind"] == "Moved" and player in (None, entry["actor"])


def _log(match: Match, narrator: Narrator) -> Iterator[dict[str, Any]]:
    """The latest entries as sentences, the newest first."""
    entries = annals().store.read(
        match.id, after=max(0, match.version - LOG_ENTRIES), limit=LOG_ENTRIES
    )
    for entry in in_steps(reversed(entries)):
        yield {
            "version": entry.version,
            "kind": entry.kind,
            "actor": entry.actor,
            "seat": acting_seat(match, entry),
            "at": queries.iso(entry.at),
            "declines": any(
                isinstance(event, UndoAnswered) and not event.agree
                for event in read_events(match.game, entry.events)
            ),
            "sentences": narrator.of_entry(entry),
        }
