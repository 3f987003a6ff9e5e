"""Players and bots: profiles, and leaderboards."""

from __future__ import annotations

from flask import Response, request

from projections.core.summary import Summary
from projections.lists.matches import find
from projections.lists.results import record_of
from service import ratings
from service.http.context import annals, viewer_id
from service.matches import profiles
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.views.match_lists import rows
from service.page.visitor import visitors_language
from service.runtime.errors import NotFound

LIMIT = 50
LAST = 20
"""So many matches of a player are shown, the last ones."""


@bp.get("/players/<player>")
def player(player: str) -> Response:
    """A player, or a bot: how they do in each game, and their last matches."""
    language, games, store = visitors_language(), annals().games, annals().store
    known = profiles.find(annals(), player, language)
    if known is None:
        raise NotFound("There is no such player.")
    found = {game: ratings.rating_of(store.redis, game, known.id) for game in games}
    rated = {game: rating for game, rating in found.items() if rating is not None}
    record = record_of(store.redis, store.partitions, known.id)
    matches = [] if known.id.startswith(profiles.BOT) else _matches(known.id)
    forms = profiles.profile(annals(), known.id, rated, language)
    return render(
        "player",
        player=known,
        games=[
            {
                "key": key,
                "title": game.called(language),
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
    known, language, redis = annals().game(game), visitors_language(), annals().store.redis
    after = max(0, min(request.args.get("after", 0, int), 1_000_000))
    everybody = request.args.get("provisional") == "true"
    found = ratings.standings(redis, known.key, after, LIMIT + 1, provisional=everybody)
    people = {one.competitor for one in found}
    return render(
        "leaderboard",
        game={"key": known.key, "title": known.called(language)},
        standings=found[:LIMIT],
        names=profiles.names_in(annals(), known.key, people, language),
        more=after + LIMIT if len(found) > LIMIT else None,
        everybody=everybody,
        hidden=0 if everybody else ratings.hidden(redis, known.key),
    )


def _matches(player: str) -> list[Summary]:
    store = annals().store
    page = find(store.redis, store.partitions, player=player, viewer=viewer_id(), limit=LAST)
    return list(page.items)
