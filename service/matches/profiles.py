"""Profiles: how a competitor does in each game, from the rated matches, which anybody may know."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

from domain.engine.game import Game
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from projections.analyses import sums_of
from service import ratings
from service.accounts.players import Player
from service.drawing.charts.chart import Chart, Mark
from service.drawing.charts.texts import words_in
from service.matches.container import Annals
from service.matches.lists import time
from service.matches.queries import Json
from service.ratings import Form, History, Met, Rating, Standing

OPPONENTS = 5
"""So many are shown in each game: those met most often."""
MATCHES = 50
"""So many matches, the last ones, are asked for their accuracy in each game."""
BOT = "bot:"


def find(annals: Annals, competitor: str, language: str = ENGLISH) -> Player | None:
    """The player with this id, or the bot of a level that some game has, under its name."""
    if not competitor.startswith(BOT):
        return annals.players.by_id(competitor)
    names = (names_in(annals, game, {competitor}, language) for game in annals.games)
    name = next((found[competitor] for found in names if competitor in found), None)
    return Player(competitor, name) if name else None


def names_in(
    annals: Annals, game: str, competitors: Collection[str], language: str = ENGLISH
) -> Mapping[str, str]:
    """The names of competitors now: of players, and of the levels of bots of a game."""
    bots = {f"{BOT}{key}": name for key, name in annals.games[game].bots(language).items()}
    players = {one for one in competitors if not one.startswith(BOT)}
    known = {one: bots[one] for one in competitors if one in bots}
    return {**known, **annals.players.names(players)}


def profile(
    annals: Annals, competitor: str, rated: Mapping[str, Rating], language: str = ENGLISH
) -> Json:
    """How a competitor does in each of the games in which they are rated."""
    redis = annals.store.redis
    forms = ratings.forms(redis, list(rated), competitor)
    games = {}
    for game, rating in rated.items():
        met = ratings.opponents(redis, game, competitor, OPPONENTS)
        games[game] = {
            **strength(rating),
            "place": ratings.place_of(redis, game, rating),
            **_form(forms.get(game, Form())),
            "accuracy": _accuracy(annals, game, competitor),
            "opponents": _opponents(annals, game, met, language),
        }
    return games


def strength(rating: Rating) -> Json:
    """How sure a rating is."""
    return {"interval": _interval(rating.interval), "provisional": rating.provisional}


def step(one: History) -> Json:
    """A step in the history of a rating."""
    return {
        "match": one.match,
        "number": one.number,
        "at": time(one.at),
        "rank": one.rank,
        "seat": one.seat,
        "mu": one.mu,
        "sigma": one.sigma,
        "interval": _interval(one.interval),
    }


def chart_of_history(
    name: str, game: Game[Any], steps: Sequence[History], language: str = ENGLISH
) -> Chart:
    """How the rating of a competitor (by name) in a game came about; the steps are the last first,
    as they are read.
    """
    say = words_in(language)
    marks = tuple(Mark(str(one.number), one.mu, *one.interval) for one in reversed(steps))
    title = say("history", name=name, game=game.called(language))
    return Chart(title, say("match"), say("strength"), marks, Rating().mu, language)


def chart_of_standings(
    game: Game[Any], board: Sequence[Standing], names: Mapping[str, str], language: str = ENGLISH
) -> Chart:
    """The leaderboard of a game, with how sure each rating is."""
    say = words_in(language)
    called = [f"{one.place}. {names.get(one.competitor, one.competitor)}" for one in board]
    marks = tuple(
        Mark(
            label if called.count(label) == 1 else f"{label} ({one.competitor})",
            one.rating.mu,
            *one.rating.interval,
            one.rating.played,
        )
        for label, one in zip(called, board, strict=True)
    )
    title = say("leaderboard", game=game.called(language))
    return Chart(title, say("competitor"), say("strength"), marks, Rating().mu, language)


def _accuracy(annals: Annals, game: str, competitor: str) -> Json | None:
    """How good the decisions of a competitor were, in their last matches, as far as analysed;
    None if there are none.
    """
    store, seats = annals.store, dict[str, Seat]()
    for one in ratings.history(store.redis, game, competitor, limit=MATCHES):
        if one.seat is not None:
            seats[one.match] = one.seat
    partitions = {match: store.partition_of(match) for match in seats}
    analysed = sums_of(store.redis, annals.games[game], partitions)
    found = [said[seats[match]].accuracy for match, said in analysed.items()]
    known = [accuracy for accuracy in found if accuracy is not None]
    return {"mean": round(fmean(known), 1), "matches": len(known)} if known else None


def _interval(ends: tuple[float, float]) -> list[float]:
    return [round(end, 3) for end in ends]


def _form(form: Form) -> Json:
    return {
        "streak": {"now": form.streak, "best": form.best},
        "last_played": time(form.at or None),
    }


def _opponents(annals: Annals, game: str, met: Sequence[Met], language: str) -> list[Json]:
    names = names_in(annals, game, {one.competitor for one in met}, language)
    return [
        {
            "competitor": one.competitor,
            "name": names.get(one.competitor, one.competitor),
            "matches": one.matches,
            "ahead": one.ahead,
            "behind": one.behind,
            "even": one.even,
        }
        for one in met
    ]
