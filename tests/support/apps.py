"""Apps, reused by later tests: building the routes takes longer than most tests."""

from __future__ import annotations

from collections import defaultdict

from flask import Flask

from service.front.app import create_app
from service.http.context import Context
from service.matches.container import Annals
from tests.support.small_painter import SmallPainter

_idle: dict[tuple[int, int], list[Flask]] = defaultdict(list)
_lent: list[tuple[tuple[int, int], Flask]] = []


def app_over(annals: Annals) -> Flask:
    """The app over this service, with all caches empty and a small painter, until the end of the
    test.
    """
    settings = annals.settings
    fixed = settings.body_limit, settings.proxies  # all that an app keeps of its settings
    app = _idle[fixed].pop() if _idle[fixed] else create_app(annals)
    context = app.extensions["annals"] = Context(annals)
    context.picture_cache.use(SmallPainter())
    _lent.append((fixed, app))
    return app


def take_back() -> None:
    """Let later tests use the apps of this one."""
    for fixed, app in _lent:
        app.extensions.pop("annals", None)
        _idle[fixed].append(app)
    _lent.clear()
