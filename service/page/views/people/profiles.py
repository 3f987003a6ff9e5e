"""Players and bots: profiles and leaderboards."""

from __future__ import annotations

from flask import Response, request

from projections.core.summary import Summary
from projections.lists.results import read_record
from service import ratings
from service.accounts.people.visible_lists import find_matches
from service.http.context import annals, viewer_id
from service.matches import profiles
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.views.match_lists import match_rows
from service.page.views.people.follows import relation_to
from service.page.visitor import visitor_language
from service.runtime.errors import NotFound

PAGE_SIZE = 50
RECENT_MATCHES = 20
"""Number of recent matches on a profile."""


@bp.get("/players/<player>")
def player(player: str) -> Response:
    """The profile of a player or a bot: results by game, and recent matches."""
    language, games, store = visitor_language(), annals().games, annals().store
    known = profiles.find_competitor(annals(), player, language, viewer_id())
    if known is None:
        raise NotFound("There is no such player.")
    found = {game: ratings.rating_of(store.redis, game, known.id) for game in games}
    rated = {game: rating for game, rating in found.items() if rating is not None}
    record = read_record(store.redis, store.partitions, known.id)
    matches = [] if known.id.startswith(profiles.BOT_PREFIX) else _recent_matches(known.id)
    forms = profiles.profile(annals(), known.id, rated, language)
    return render(
        "player",
        modules=("people/people.js",),
        player=known,
        reliability=profiles.reliability(annals(), known.id),
        relation=relation_to(known.id),
        games=[
            {
                "key": key,
                "title": game.title_in(language),
                "rating": rated.get(key),
                "record": record.get(key),
                "form": forms.get(key),
            }
            for key, game in games.items()
            if key in rated or key in record
        ],
        matches=match_rows(matches, words_in(language), language),
    )


@bp.get("/leaderboards/<game>")
def leaderboard(game: str) -> Response:
    """The ratings of a game, the best first; `provisional=true` includes provisional ones."""
    known, language, redis = annals().game(game), visitor_language(), annals().store.redis
    after = max(0, min(request.args.get("after", 0, int), 1_000_000))
    provisional = request.args.get("provisional") == "true"
    found = ratings.standings(redis, known.key, after, PAGE_SIZE + 1, provisional=provisional)
    people = {one.competitor for one in found}
    return render(
        "leaderboard",
        game={"key": known.key, "title": known.title_in(language)},
        standings=found[:PAGE_SIZE],
        names=profiles.names_in(annals(), known.key, people, language),
        more=after + PAGE_SIZE if len(found) > PAGE_SIZE else None,
        provisional=provisional,
        hidden=0 if provisional else ratings.count_provisional(redis, known.key),
    )


def _recent_matches(player: str) -> list[Summary]:
    store = annals().store
    page = find_matches(
        store.redis, store.partitions, player=player, viewer=viewer_id(), limit=RECENT_MATCHES
    )
    return list(page.items)
