"""Responses of lists: matches as JSON, links to the next page, waiting for projections."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from flask import request

from projections.core.summary import Summary
from projections.progress import wait_for
from service.http.context import annals
from service.http.json_responses import Json
from service.matches.lists import names_in, summary
from service.runtime.errors import BadQuery
from service.runtime.event_loop import pause

CATCH_UP_S = 2.0


def catch_up(query: Json) -> None:
    """If the query names a version of a match, wait up to CATCH_UP_S until the lists include it."""
    if "match" not in query or "min_version" not in query:
        return
    store, match, version = annals().store, query["match"], query["min_version"]
    if 0 < version <= store.version(match):
        wait_for(store.redis, store.partition_of(match), match, version, CATCH_UP_S, pause)


def check_game(query: Json) -> None:
    """Raise BadQuery if the query names an unknown game."""
    if query.get("game", "") not in {"", *annals().games}:
        raise BadQuery([("game", games_message())])


def games_message() -> str:
    """Return a sentence that lists the games."""
    return f"Expected one of: {', '.join(annals().games)}."


def next_link(after: str | int | None) -> dict[str, str]:
    """Return the `Link` header of the next page, if there is one."""
    if after is None:
        return {}
    parameters = {**request.args.to_dict(), "after": after}
    return {"Link": f'<{request.path}?{urlencode(parameters)}>; rel="next"'}


def summaries(matches: Sequence[Summary]) -> list[Json]:
    """Matches as list items, with the current names of their players."""
    names = names_in(annals().players, matches)
    return [summary(match, names) for match in matches]
