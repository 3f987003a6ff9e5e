"""The path of a match."""

from __future__ import annotations

from werkzeug.routing import BaseConverter

MATCH = "/v1/matches/<match_id:match_id>"


class MatchId(BaseConverter):
    """The id of a match in a path."""

    regex = "[a-z0-9][a-z0-9-]{0,63}"
