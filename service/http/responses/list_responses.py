"""Answers of the lists: matches as JSON, links to the next page, waiting for lists."""

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

PATIENCE_S = 2.0


def catch_up(asked: Json) -> None:
    """Wait a little until the lists know a version of a match, if the caller asks for it."""
    if "match" not in asked or "min_version" not in asked:
        return
    store, match, version = annals().store, asked["match"], asked["min_version"]
    if 0 < version <= store.version(match):
        wait_for(store.redis, store.partition_of(match), match, version, PATIENCE_S, pause)


def check_game(asked: Json) -> None:
    """Refuse a game that nobody knows, where one may be named."""
    if asked.get("game", "") not in {"", *annals().games}:
        raise BadQuery([("game", known_games())])


def known_games() -> str:
    """Says which games there are."""
    return f"Known are: {', '.join(annals().games)}."


def next_link(after: str | int | None) -> dict[str, str]:
    """The header that leads to the next page, if there is one."""
    if after is None:
        return {}
    again = {**request.args.to_dict(), "after": after}
    return {"Link": f'<{request.path}?{urlencode(again)}>; rel="next"'}


def summaries(matches: Sequence[Summary]) -> list[Json]:
    """Matches in a list, with the names that their players have now."""
    names = names_in(annals().players, matches)
    return [summary(match, names) for match in matches]
