"""Requests everything readable from a freshly loaded web process, and prints as JSON what the
process had to compute although it is the same for all callers.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from os import environ
from typing import Any

from flask import Flask, url_for

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.front.asgi import load
from service.http.guides import ADDRESSES
from service.runtime.settings import read_settings
from tests.service.api.conftest import Api, fold_lists
from tests.service.api.seated import Table, table
from tests.service.api.test_every_game import OF_A_GAME, ask_everything, ask_what_is_open
from workers.host.warm_up import warm_up

CACHE_TYPE = type(cache(len))
BY_USE = {
    "domain.engine.codecs.binary_codec._array_class",  # by class, some µs each
    "domain.engine.codecs.binary_codec._array_maker",  # likewise
    "domain.engine.sentences._cite_rules",  # likewise
    "service.api.operations.docs._to_yaml",  # in a thread; few ask for YAML
    "service.runtime.metrics._entry_counter",  # by kind of entry
    "service.runtime.metrics._request_histogram",  # by route and status
    "service.runtime.event_loop._executor",  # threads: none of them starts before the first request
}


WITH_A_GAME = OF_A_GAME | {
    "/guide/<name>", "/openapi/<part>.json", "/v1/games/<game>/cover.png",
}  # fmt: skip
"""Routes that may find something to work out for each game."""


def find_caches() -> Iterator[tuple[str, Any]]:
    """By name, our functions that cache all their results for the lifetime of the process."""
    for one in gc.get_objects():
        if isinstance(one, CACHE_TYPE) and one.__module__.startswith(("domain.", "service.")):
            name = f"{one.__module__}.{one.__qualname__}"
            if one.cache_parameters()["maxsize"] is None and name not in BY_USE:
                yield name, one


def ask(app: Flask) -> None:
    """Request every public address, as a program and as a browser, and a match of each game; those
    that no game changes once.
    """
    annals = app.extensions["annals"].annals
    for number, game in enumerate(GAMES):
        routes = WITH_A_GAME if number else None
        annals.store.redis.flushdb()  # because the players of each table have the same names
        at = table(app, game, 2)
        at.play(3)
        fold_lists(annals)
        ask_everything(at, at.players[0], routes=routes)
        ask_what_is_open(at, Api(app), routes)
        for address, language in product(pages(app, at, of_game=bool(number)), LANGUAGES):
            got = app.test_client().get(f"{address}?language={language}")
            assert got.status_code == 200, address
    for address in ("/", "/problems", *ADDRESSES.values()):
        assert Api(app).get(address, Accept="text/html").status_code == 200, address


def pages(app: Flask, at: Table, *, of_game: bool) -> Iterator[str]:
    """The addresses of all pages for browsers but those of operators and of mail, with those of a
    table and its game; or only the latter.
    """
    match = at.path.rpartition("/")[2]
    known = {"match_id": match, "player": at.players[0].id, "game": at.game}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            is_open = not rule.rule.startswith(("/admin", "/mail"))
            is_open = is_open and rule.endpoint.startswith("page.")
            is_open = is_open and (not of_game or bool(rule.arguments & {"match_id", "game"}))
            if is_open and known.keys() >= rule.arguments:
                yield url_for(rule.endpoint, **{name: known[name] for name in rule.arguments})


def main(_words: Sequence[str] = ()) -> None:
    """Load the app, send the requests, print the result."""
    gc.unfreeze()  # the collector does not list frozen objects
    Api.is_checked = False  # test_every_game.py requests the same
    for _, one in find_caches():
        one.cache_clear()  # of the requests of the tests themselves
    list(warm_up(read_settings(environ)))
    app = load()._app
    gc.enable()
    gc.unfreeze()  # the collector does not list frozen objects
    before = {name: one.cache_info().misses for name, one in find_caches()}
    assert len(before) > 10
    ask(app)
    late = [name for name, one in find_caches() if one.cache_info().misses > before.get(name, 0)]
    sys.stdout.write(json.dumps(sorted(late)))


if __name__ == "__main__":
    main()
