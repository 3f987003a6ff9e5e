"""The schema of what a player shows to their followers."""

from __future__ import annotations

from service.http.schemas.common import JsonBool, Strict


class NewPresence(Strict):
    """Whether followers see when a player is here."""

    shown = JsonBool(required=True)
