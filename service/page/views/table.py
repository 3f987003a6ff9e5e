"""The page of a match that has not started, or seeks a new player: its seats, and who may take
them.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response

from domain.engine.play import Seat
from domain.match import visibility
from domain.match.decisions.absence import all_players
from domain.match.state import Match
from service.accounts.invitations import invitation_to
from service.http.context import annals, viewer_id
from service.matches import queries
from service.page.frame import render
from service.page.texts import words_in
from service.page.views.lobby import game_card
from service.page.views.match_lists import describe_clock
from service.page.views.new_table import non_default_options
from service.page.views.others import describe_patience
from service.page.visitor import visitor_language


def has_started(match: Match) -> bool:
    """Whether the match has started, so that there is a board."""
    return match.state is not None


def show(match: Match) -> Response:
    """The table: its seats, and what the visitor can do with them."""
    language, me = visitor_language(), viewer_id()
    words, game = words_in(language), match.game
    invited = {chair.invited for chair in match.chairs if chair.invited}
    invited |= {*match.declined.values()}
    shown = {chair.player for chair in match.chairs if chair.player} | invited | {match.host}
    names = annals().players.names(shown, language)
    seats = [_seat(match, seat, names, language) for seat in range(len(match.chairs))]
    return render(
        "table",
        modules=("table.js",),
        match=match,
        game=game_card(game, language),
        goal=game.goal_in(language, match.options.get("mode", "")),
        seats=seats,
        is_for_all=any(chair.free and chair.invited is None for chair in match.chairs),
        can_sit=any(seat["for_me"] for seat in seats),
        clock=describe_clock(match.clock_rule, words),
        patience=describe_patience(match, words),
        link=_link(match),
        can_follow=visibility.can_see(match, me),
        host=names.get(match.host, ""),
        is_host=me == match.host,
        sits=bool(me and match.seats_of(me)),
        absent=[names.get(match.chairs[seat].player or "", "") for seat in match.replaceable],
        options=non_default_options(game, match.options, language),
    )


def _link(match: Match) -> str:
    """The address to share, relative to the page: that of a private table invites who has it."""
    is_private = match.visibility == "private"
    return f"?{urlencode({'invite': invitation_to(match)})}" if is_private else ""


def _is_for(match: Match, seat: Seat, me: str | None) -> bool:
    """Whether the visitor can take a seat: a free one, or that of an absent player."""
    if seat in match.replaceable:
        return me not in all_players(match)
    if match.status != "open" or (me and match.seats_of(me)):
        return False
    chair = match.chairs[seat]
    return chair.free and chair.invited in (None, me)


def _seat(match: Match, seat: Seat, names: queries.Names, language: str) -> dict[str, Any]:
    """Who has a seat, and whether the visitor can take or leave it."""
    chair, me = match.chairs[seat], viewer_id()
    mine = me is not None and chair.player == me
    return {
        "seat": seat,
        "bot": chair.bot and match.game.bot_names(language).get(chair.bot, ""),
        "player": chair.player and {"id": chair.player, "name": names.get(chair.player, "")},
        "invited": {"id": chair.invited, "name": names.get(chair.invited or "", "")}
        if chair.invited and chair.player is None
        else None,
        "declined": chair.free and names.get(match.declined.get(seat, "")),
        "mine": mine,
        "invites_me": me is not None and chair.free and chair.invited == me,
        "for_me": _is_for(match, seat, me),
    }
