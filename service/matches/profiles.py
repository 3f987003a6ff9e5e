"""Profiles: the public results of a competitor in the rated matches of each game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

from domain.engine.game import Game
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from projections.analyses import read_seat_sums
from projections.lists.reliability import Reliability, read_reliability
from service import ratings
from service.accounts.people.lookup import find_by_id
from service.accounts.players import Player
from service.drawing.charts.chart import Chart, Mark
from service.drawing.charts.texts import words_in
from service.matches.container import Annals
from service.matches.lists import optional_iso
from service.matches.queries import Json
from service.ratings import Form, HistoryStep, OpponentRecord, Rating, Standing

MAX_OPPONENTS = 5
"""Most frequent opponents shown per game."""
MAX_ACCURACY_MATCHES = 50
"""Latest matches per game that the mean accuracy covers."""
BOT_PREFIX = "bot:"


def find_competitor(
    annals: Annals, competitor: str, language: str, viewer: str | None
) -> Player | None:
    """Return the player with this id, or the bot of a level as a player with its name. None for a
    player who is hidden from the viewer, too.
    """
    if not competitor.startswith(BOT_PREFIX):
        player = find_by_id(annals.store.redis, annals.players, competitor, viewer)
        return player and player.named_in(language)
    names = (names_in(annals, game, {competitor}, language) for game in annals.games)
    name = next((found[competitor] for found in names if competitor in found), None)
    return Player(competitor, name) if name else None


def names_in(
    annals: Annals, game: str, competitors: Collection[str], language: str = ENGLISH
) -> Mapping[str, str]:
    """Return the current names of players and of the bots of a game, by competitor."""
    bots = {
        f"{BOT_PREFIX}{key}": name for key, name in annals.games[game].bot_names(language).items()
    }
    players = {one for one in competitors if not one.startswith(BOT_PREFIX)}
    known = {one: bots[one] for one in competitors if one in bots}
    return {**known, **annals.players.names(players, language)}


def profile(
    annals: Annals, competitor: str, rated: Mapping[str, Rating], language: str = ENGLISH
) -> Json:
    """Return the profile of a competitor in each game in which they are rated."""
    redis = annals.store.redis
    forms = ratings.forms(redis, list(rated), competitor)
    games = {}
    for game, rating in rated.items():
        met = ratings.opponents(redis, game, competitor, MAX_OPPONENTS)
        games[game] = {
            **strength(rating),
            "rank": ratings.place_of(redis, game, rating),
            **_form_json(forms.get(game, Form())),
            "accuracy": _accuracy(annals, game, competitor),
            "opponents": _opponents_json(annals, game, met, language),
        }
    return games


def reliability(annals: Annals, competitor: str) -> Reliability | None:
    """Return in how many of their last matches a player's time was not up; None for a bot."""
    if competitor.startswith(BOT_PREFIX):
        return None
    return read_reliability(annals.store.redis, annals.store.partitions, competitor)


def strength(rating: Rating) -> Json:
    """Return the interval of a rating and whether it is provisional."""
    return {"interval": _interval(rating.interval), "provisional": rating.provisional}


def history_step(one: HistoryStep) -> Json:
    """Return one step of a rating history."""
    return {
        "match": one.match,
        "number": one.number,
        "at": optional_iso(one.at),
        "rank": one.rank,
        "seat": one.seat,
        "mu": one.mu,
        "sigma": one.sigma,
        "interval": _interval(one.interval),
    }


def chart_of_history(
    name: str, game: Game[Any], steps: Sequence[HistoryStep], language: str = ENGLISH
) -> Chart:
    """Return the chart of a competitor's rating history in a game; the steps come latest first."""
    say = words_in(language)
    marks = tuple(Mark(str(one.number), one.mu, *one.interval) for one in reversed(steps))
    title = say("history", name=name, game=game.title_in(language))
    return Chart(
        title,
        say("match"),
        say("strength"),
        marks,
        Rating().mu,
        language,
        column=say("dimension_rating"),
    )


def chart_of_standings(
    game: Game[Any], board: Sequence[Standing], names: Mapping[str, str], language: str = ENGLISH
) -> Chart:
    """Return the chart of a game's leaderboard, with rating intervals."""
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
    title = say("leaderboard", game=game.title_in(language))
    return Chart(
        title,
        say("competitor"),
        say("strength"),
        marks,
        Rating().mu,
        language,
        column=say("dimension_rating"),
    )


def _accuracy(annals: Annals, game: str, competitor: str) -> Json | None:
    """Return the mean accuracy of a competitor in their latest matches that are analysed; None if
    none is.
    """
    store, seats = annals.store, dict[str, Seat]()
    for one in ratings.history(store.redis, game, competitor, limit=MAX_ACCURACY_MATCHES):
        if one.seat is not None:
            seats[one.match] = one.seat
    partitions = {match: store.partition_of(match) for match in seats}
    analysed = read_seat_sums(store.redis, annals.games[game], partitions)
    found = [seats_of_match[seats[match]].accuracy for match, seats_of_match in analysed.items()]
    known = [accuracy for accuracy in found if accuracy is not None]
    return {"mean": round(fmean(known), 1), "matches": len(known)} if known else None


def _interval(ends: tuple[float, float]) -> list[float]:
    return [round(end, 3) for end in ends]


def _form_json(form: Form) -> Json:
    return {
        "streak": {"current": form.streak, "best": form.best},
        "last_played": optional_iso(form.at or None),
    }


def _opponents_json(
    annals: Annals, game: str, met: Sequence[OpponentRecord], language: str
) -> list[Json]:
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
