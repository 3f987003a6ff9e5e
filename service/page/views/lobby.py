"""The lobby: the games, and tables to join."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from domain.engine.game import Game
from domain.engine.resources.lessons import TITLE
from domain.engine.sentences import capitalize
from projections.core.summary import Summary
from projections.lists.matches import REPLACEMENT
from projections.lists.pages import Page
from service.accounts.people.visible_lists import find_matches
from service.drawing.pictures.cover import MOST_WEIGHT, describe_game
from service.http.context import annals, viewer_id
from service.page.frame import find_visitor_invitations, render
from service.page.texts import words_in
from service.page.views.match_lists import is_idle, match_rows
from service.page.visitor import identify_visitor, visitor_language

STATUSES = ("open", REPLACEMENT, "active", "scored")
CLOCKS = ("none", "live", "slow")
MAX_LIVE_S = 3_600
"""Live: a move, or all moves of a player, within an hour; players are there at the same time."""
PAGE_SIZE = 30
WINDOW = 300
"""How many matches of the list, newest first, are sorted together and cut into pages. An order by
the latest move of all matches in play would need an index that each move writes.
"""
MAX_WINDOWS = 4
"""Maximum number of windows to scan for matches that pass the filters."""


def lobby() -> Response:
    """The lobby; the query has `game`, `status`, `seats`, `clock`, `own`, `idle` and `after`."""
    identify_visitor()
    language = visitor_language()
    filters = _read_filters()
    found, following = _find_matches(filters)
    if filters["own"] and filters["status"] == "open" and "after" not in request.args:
        invited = [match for match in find_visitor_invitations() if _passes(match, filters)]
        known = {match.id for match in invited}
        found = [*invited, *(match for match in found if match.id not in known)]
    return render(
        "lobby",
        modules=("lobby.js", "lessons/learn.js"),
        games=[game_card(game, language) for game in annals().games.values()],
        most_weight=MOST_WEIGHT,
        filters=filters,
        counts=sorted({count for game in annals().games.values() for count in game.seat_range}),
        matches=match_rows(found, words_in(language), language),
        more=following and "?" + urlencode({**_query_parameters(filters), "after": following}),
        statuses=STATUSES,
        to_status={
            status: "?" + urlencode({**_query_parameters(filters), "status": status})
            for status in STATUSES
        },
    )


def game_card(game: Game[Any], language: str) -> dict[str, Any]:
    """What the lobby shows of a game; `modes` are those besides the default one."""
    texts = game.words(language).texts
    return {
        "key": game.key,
        "title": game.title_in(language),
        "goal": game.goal_in(language),
        "goals": game.goals_in(language),
        "seats": [*game.seats],
        "seat_range": [*game.seat_range],
        "facts": describe_game(game, language),
        "modes": [
            {"key": mode, "label": capitalize(texts[f"option_mode_{mode}"]), "seats": [*seats]}
            for mode, seats in game.seats_by_mode.items()
            if game.non_default_mode(game.options(mode=mode))
        ],
        "by_mode": {mode: [*seats] for mode, seats in game.seats_by_mode.items()},
        "lessons": lessons_of(game, language),
        "levels": [
            {"key": key, "name": name, "strength": place}
            for place, (key, name) in enumerate(game.bot_names(language).items(), 1)
        ],
    }


def lessons_of(game: Game[Any], language: str) -> list[dict[str, Any]]:
    """The lessons of a game, for buttons that begin them."""
    return [
        {"key": key, "title": lesson.texts[language][TITLE], "minutes": lesson.terms.minutes}
        for key, lesson in game.resources.lessons.items()
    ]


def _read_filters() -> dict[str, str]:
    """The filters of the query with defaults; unknown values are ignored."""
    query = request.args
    valid = {
        "game": tuple(annals().games),
        "status": STATUSES,
        "clock": CLOCKS,
        "own": ("1",),
        "idle": ("1",),
        "seats": tuple(str(seats) for seats in range(1, 10)),
    }
    filters = {name: query[name] for name, values in valid.items() if query.get(name) in values}
    if viewer_id() is None:
        filters.pop("own", None)
    return {
        "game": "",
        "status": "open",
        "clock": "",
        "own": "",
        "idle": "",
        "seats": "",
        **filters,
    }


def _query_parameters(filters: dict[str, str]) -> dict[str, str]:
    language = request.args.get("language", "")
    return {name: value for name, value in {**filters, "language": language}.items() if value}


def _find_matches(filters: dict[str, str]) -> tuple[list[Summary], str | None]:
    """A page of the matches that pass the filters, and the cursor of the next one: the newest
    match first; of those in play, within each window, the one with the latest move.

    A cursor has that of the window and, after `~`, the place of the last match shown of it.
    """
    window, _, last = request.args.get("after", "")[:200].partition("~")
    place = _place_by_move if filters["status"] == "active" else _place_by_age
    page, left = Page[Summary]([], None, 0), list[Summary]()
    for _ in range(MAX_WINDOWS):
        page = _read_window(filters, window or None)
        passing = (match for match in page.items if _passes(match, filters))
        left = [match for match in passing if not last or place(match) < last]
        if left or page.next is None:
            break
        window, last = page.next, ""
    left.sort(key=place, reverse=True)
    if len(left) > PAGE_SIZE:
        return left[:PAGE_SIZE], f"{window}~{place(left[PAGE_SIZE - 1])}"
    return left, page.next


def _place_by_move(match: Summary) -> str:
    return f"{match.last_move_at:014d}:{match.id}"


def _place_by_age(match: Summary) -> str:
    return f"{match.created_at:014d}:{match.id}"


def _read_window(filters: dict[str, str], after: str | None) -> Page[Summary]:
    store, me = annals().store, viewer_id()
    return find_matches(
        store.redis,
        store.partitions,
        game=filters["game"] or None,
        status=filters["status"],
        player=me if filters["own"] else None,
        viewer=me,
        after=after,
        limit=WINDOW,
    )


def _passes(match: Summary, filters: dict[str, str]) -> bool:
    seats, clock = filters["seats"], filters["clock"]
    return (
        filters["game"] in ("", match.game)
        and (not seats or len(match.seats) == int(seats))
        and (not clock or _clock_kind(match) == clock)
        and bool(
            filters["idle"]
            or filters["own"]
            or match.is_replaceable
            or not is_idle(match, annals().now())
        )
    )


def _clock_kind(match: Summary) -> str:
    """Which of CLOCKS a match has."""
    if match.clock is None:
        return "none"
    return "live" if (match.clock.per_move_s or match.clock.bank_s or 0) <= MAX_LIVE_S else "slow"
