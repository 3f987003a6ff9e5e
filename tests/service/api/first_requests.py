"""A web process that has just been loaded is asked for everything that can be read: as JSON, what
it had to work out for that although it is the same for all who ask.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from flask import Flask, url_for

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.front.asgi import load
from service.http.guides import ADDRESSES
from tests.service.api.conftest import Api, fold_lists
from tests.service.api.seated import Table, table
from tests.service.api.test_every_game import ask_everything, ask_what_is_open

KEPT = type(cache(len))
BY_USE = {
    "domain.engine.codecs.binary_codec._array",  # by class, some µs each
    "domain.engine.codecs.binary_codec._taking_apart",  # likewise
    "domain.engine.sentences._cited",  # likewise
    "service.runtime.metrics._counter",  # by kind of entry
    "service.runtime.metrics._histogram",  # by route and status
    "service.runtime.event_loop._executor",  # threads, of which none is started beforehand
}


def kept() -> Iterator[tuple[str, Any]]:
    """By name, the functions of ours that keep all their results as long as the process lives."""
    for one in gc.get_objects():
        if isinstance(one, KEPT) and one.__module__.startswith(("domain.", "service.")):
            name = f"{one.__module__}.{one.__qualname__}"
            if one.cache_parameters()["maxsize"] is None and name not in BY_USE:
                yield name, one


def ask(app: Flask) -> None:
    """Ask for all that is open, as a program and as a browser, and for a match of each game."""
    annals = app.extensions["annals"].annals
    for game in GAMES:
        annals.store.redis.flushdb()  # for the players of each table are called alike
        at = table(app, game, 2)
        at.play(3)
        fold_lists(annals)
        ask_everything(at, at.players[0])
        ask_what_is_open(at, Api(app))
        for address, language in product(pages(app, at), LANGUAGES):
            got = app.test_client().get(f"{address}?language={language}")
            assert got.status_code == 200, address
    for address in ("/", "/problems", *ADDRESSES.values()):
        assert Api(app).get(address, Accept="text/html").status_code == 200, address


def pages(app: Flask, at: Table) -> Iterator[str]:
    """The addresses of all pages for browsers, with what hangs on a table and its game."""
    match = at.path.rpartition("/")[2]
    known = {"match_id": match, "player": at.players[0].id, "game": at.game}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if rule.endpoint.startswith("page.") and known.keys() >= rule.arguments:
                yield url_for(rule.endpoint, **{name: known[name] for name in rule.arguments})


def main() -> None:
    """Load, ask, tell."""
    for _, one in kept():
        one.cache_clear()  # of what the tests themselves have asked
    app = load()._app
    gc.unfreeze()  # whatever is frozen cannot be found
    before = {name: one.cache_info().misses for name, one in kept()}
    assert len(before) > 10
    ask(app)
    late = [name for name, one in kept() if one.cache_info().misses > before.get(name, 0)]
    sys.stdout.write(json.dumps(sorted(late)))


if __name__ == "__main__":
    main()
