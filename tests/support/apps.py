"""Apps, reused by later tests: building the routes takes longer than most tests."""

from __future__ import annotations

from collections import defaultdict

from flask import Flask

from service.front.app import create_app
from service.http.context import Context
from service.matches.container import Annals

_idle: dict[tuple[int, int], list[Flask]] = defaultdict(list)
_lent: list[tuple[tuple[int, int], Flask]] = []


def app_over(annals: Annals) -> Flask:
    """The app over this service, with all caches empty, until the end of the test."""
    settings = annals.settings
    fixed = settings.body_limit, settings.proxies  # all that an app keeps of its settings
    if _idle[fixed]:
        app = _idle[fixed].pop()
        app.extensions["annals"] = Context(annals)
    else:
        app = create_app(annals)
    _lent.append((fixed, app))
    return app


def take_back() -> None:
    """Let later tests use the apps of this one."""
    for fixed, app in _lent:
        app.extensions.pop("annals", None)
        _idle[fixed].append(app)
    _lent.clear()
