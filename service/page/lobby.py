"""The entrance: what is played, and what can be joined."""

from __future__ import annotations

from flask import Response

from service.http.context import annals
from service.page.frame import render


def lobby() -> Response:
    """The lobby."""
    return render("lobby", games=list(annals().games.values()))
