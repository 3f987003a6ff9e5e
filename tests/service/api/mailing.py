"""A service that sends mail to players; nothing here sends any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from flask import Flask

from service.matches.container import Annals

SENDS_MAIL = {
    "smtp_host": "localhost", "mail_from": "annals@x.example", "public_url": "https://x.example",
}  # fmt: skip
"""The settings with which a service sends mail."""


@contextmanager
def sending_mail(app: Flask, annals: Annals) -> Iterator[None]:
    """Let the app send mail."""
    context = app.extensions["annals"]
    context.annals = replace(annals, settings=replace(annals.settings, **SENDS_MAIL))
    yield
    context.annals = annals
