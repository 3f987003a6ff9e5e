"""Players and bots: profiles, and leaderboards."""

from __future__ import annotations

from flask import Response, request

from projections.matches import find
from projections.results import record_of
from projections.summary import Summary
from service import profiles, ratings
from service.errors import NotFound
from service.http.context import annals, viewer_id
from service.page.frame import bp, render
from service.page.matches import rows
from service.page.rules import game_of
from service.page.texts import level_of, title_of, words_in
from service.page.visitor import visitors_language

LIMIT = 50
LAST = 20
"""So many matches of a player are shown, the last ones."""


@bp.get("/players/<player>")
def player(player: str) -> Response:
    """A player, or a bot: how they do in each game, and their last matches."""
    known, store = profiles.find(annals(), player), annals().store
    if known is None:
        raise NotFound("There is no such player.")
    language, games = visitors_language(), annals().games
    found = {game: ratings.rating_of(store.redis, game, known.id) for game in games}
    rated = {game: rating for game, rating in found.items() if rating is not None}
    record = record_of(store.redis, store.partitions, known.id)
    matches = [] if known.id.startswith(profiles.BOT) else _matches(known.id)
    forms = profiles.profile(annals(), known.id, rated)
    return render(
        "player",
        player=known,
        games=[
            {
                "key": key,
                "title": title_of(game, language),
                "rating": rated.get(key),
                "record": record.get(key),
                "form": forms.get(key),
            }
            for key, game in games.items()
            if key in rated or key in record
        ],
        matches=rows(matches, words_in(language), language),
    )


@bp.get("/leaderboards/<game>")
def leaderboard(game: str) -> Response:
    """The ratings of a game, the best first; `provisional=true` shows those of few matches too."""
    known, language, redis = game_of(game), visitors_language(), annals().store.redis
    after = max(0, min(request.args.get("after", 0, int), 1_000_000))
    everybody = request.args.get("provisional") == "true"
    found = ratings.standings(redis, known.key, after, LIMIT + 1, provisional=everybody)
    people = {one.competitor for one in found}
    bots = {f"{profiles.BOT}{one.key}": level_of(known, one.key, language) for one in known.levels}
    return render(
        "leaderboard",
        game={"key": known.key, "title": title_of(known, language)},
        standings=found[:LIMIT],
        names={**profiles.names_in(annals(), known.key, people), **bots},
        more=after + LIMIT if len(found) > LIMIT else None,
        everybody=everybody,
        hidden=0 if everybody else ratings.hidden(redis, known.key),
    )


def _matches(player: str) -> list[Summary]:
    store = annals().store
    page = find(store.redis, store.partitions, player=player, viewer=viewer_id(), limit=LAST)
    return list(page.items)
