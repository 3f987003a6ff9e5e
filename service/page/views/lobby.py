"""The entrance: what is played, and what can be joined."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from domain.engine.game import Game
from domain.engine.sentences import begun
from projections.core.summary import Summary
from projections.lists.matches import find
from projections.lists.pages import Page
from service.http.context import annals, viewer_id
from service.page.frame import render
from service.page.texts import words_in
from service.page.views.match_lists import rows
from service.page.visitor import recognize, visitors_language

STATUSES = ("open", "active", "scored")
CLOCKS = ("none", "live", "slow")
LIVE_S = 3_600
"""A move within an hour, or all of one's moves within as much: both sit there at the same time."""
LIMIT = 30
PAGES = 4
"""So many pages are looked through for what the filters let pass."""


def lobby() -> Response:
    """The lobby; the query filters it: `game`, `status`, `seats`, `clock`, `own`, `after`."""
    recognize()
    language = visitors_language()
    asked = _asked()
    found, following = _found(asked)
    return render(
        "lobby",
        modules=("lobby.js",),
        games=[game_card(game, language) for game in annals().games.values()],
        asked=asked,
        counts=sorted({count for game in annals().games.values() for count in game.all_seats}),
        matches=rows(found, words_in(language), language),
        more=following and "?" + urlencode({**_given(asked), "after": following}),
        statuses=STATUSES,
        to_status={
            status: "?" + urlencode({**_given(asked), "status": status}) for status in STATUSES
        },
    )


def game_card(game: Game[Any], language: str) -> dict[str, Any]:
    """What the lobby tells of a game; `modes` are those besides the usual one."""
    texts = game.words(language).texts
    return {
        "key": game.key,
        "title": game.called(language),
        "seats": [*game.seats],
        "all_seats": [*game.all_seats],
        "modes": [
            {"key": mode, "says": begun(texts[f"option_mode_{mode}"]), "seats": [*seats]}
            for mode, seats in game.modes.items()
            if game.unusual_mode(game.options(mode=mode))
        ],
        "by_mode": {mode: [*seats] for mode, seats in game.modes.items()},
        "levels": [
            {"key": key, "name": name, "strength": place}
            for place, (key, name) in enumerate(game.bots(language).items(), 1)
        ],
    }


def _asked() -> dict[str, str]:
    """What is asked for, as far as it means something; the rest is as if it were not there."""
    given = request.args
    known = {
        "game": tuple(annals().games),
        "status": STATUSES,
        "clock": CLOCKS,
        "own": ("1",),
        "seats": tuple(str(seats) for seats in range(1, 10)),
    }
    asked = {name: given[name] for name, values in known.items() if given.get(name) in values}
    if viewer_id() is None:
        asked.pop("own", None)
    return {"game": "", "status": "open", "clock": "", "own": "", "seats": "", **asked}


def _given(asked: dict[str, str]) -> dict[str, str]:
    language = request.args.get("language", "")
    return {name: value for name, value in {**asked, "language": language}.items() if value}


def _found(asked: dict[str, str]) -> tuple[list[Summary], str | None]:
    """The matches that are asked for, and after which place the next page begins."""
    found: list[Summary] = []
    after = request.args.get("after", "")[:200] or None
    for _ in range(PAGES):
        page = _page(asked, after)
        found += [match for match in page.items if _fits(match, asked)]
        after = page.next
        if after is None or len(found) >= LIMIT:
            break
    return found, after


def _page(asked: dict[str, str], after: str | None) -> Page[Summary]:
    store, me = annals().store, viewer_id()
    return find(
        store.redis,
        store.partitions,
        game=asked["game"] or None,
        status=asked["status"],
        player=me if asked["own"] else None,
        viewer=me,
        after=after,
        limit=LIMIT,
    )


def _fits(match: Summary, asked: dict[str, str]) -> bool:
    seats, clock = asked["seats"], asked["clock"]
    return (not seats or len(match.seats) == int(seats)) and (not clock or _pace(match) == clock)


def _pace(match: Summary) -> str:
    """Which of CLOCKS a match has."""
    if match.clock is None:
        return "none"
    return "live" if (match.clock.per_move_s or match.clock.bank_s or 0) <= LIVE_S else "slow"
