"""The page about stored formats: a table for each group of records, from `formats.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from domain.audit.bundle import FORMAT as BUNDLE_FORMAT
from domain.audit.texts import FORMAT as TEXT_FORMAT
from domain.games import GAMES
from service.analytics.table_folders import TABLES_VERSION
from service.store.store_format import STORE_FORMAT, STORE_LEVEL
from tests.stored.formats import Json
from workers.tools.store.backup_file import FORMAT as BACKUP_FORMAT

VERSIONS: Mapping[str, str] = {
    "the store": f"format {STORE_FORMAT}, level {STORE_LEVEL}: `annals:format`, `annals:levels`",
    "texts of entries, to which heads commit": f"{TEXT_FORMAT}: `format` in the first text",
    "bundles": f"{BUNDLE_FORMAT}: `bundle`",
    "backups": f"{BACKUP_FORMAT}: `format` in the header, beside those of the store",
    "exported tables": f"{TABLES_VERSION}: `schema` in `manifest.json`",
    "the rules of each game": ", ".join(f"{one.title} {one.rules}" for one in GAMES.values())
    + ": `rules` in each entry",
    "each read model": "in its keys, such as `{p0}:rm:matches:v1`",
}
"""Where each version is recorded, and the one that this code writes."""
HEAD = ("| record | stored as | members |", "| --- | --- | --- |")
GROUPS: Mapping[str, str] = {
    "match": "Events of every match",
    "entry_codec": "Entries",
    "binary_codec": "The head of each record in an entry",
    "stubs": "Archived matches in the store",
    "packs": "The index of a pack",
    "backup_file": "Backups: `annals backup`",
    "backup_state": "`backup-state.json`: the last scheduled backup",
    "bundle": "Bundles: `GET /v1/matches/{id}/export`",
    "state": "The state of the transparency log",
    "signed_state": "`tlog:signed`",
    "subscriptions": "Webhooks",
    "plan": "Webhooks: planned deliveries",
    "delivery_queue": "Webhooks: requests to send again",
    "delivery_log": "Webhooks: the last deliveries",
    "tokens": "Tokens",
    "notes": "Private notes",
    "settings": "What players choose about notices",
    "addresses": "Mail addresses",
    "browsers": "Push subscriptions",
    "plans": "Plans of players for a match",
    "messages": "Talk about matches",
    "reports": "Reports of what was said",
    "records": "Ratings",
    "admin_log": "The log of administrators",
    "channels": "Channels of Discord",
    "follow_up_jobs": "Answers in Discord that are still to be sent",
    "matches": "The read model of matches",
    "turns": "The read model of turns",
    "events": "The read model of changes",
    "storage": "The read model of statistics",
    "analyses": "Totals of analyses",
    "table_folders": "`manifest.json` of exported tables",
    "tables": "Exported tables",
    "calibrate": "Samples of `annals calibrate`",
    "arena": "Samples of `annals arena`",
    "house": "`house`: the name and the address of the house",
    "samples": "`samples.json`: the metrics of the last days",
    "high_water_mark": "`high-water-mark.json`",
    "reload": "What a reload hands over",
    "uptime": "`annals:uptime`",
    **{
        name: text
        for game in GAMES.values()
        for name, text in (
            (game.key, f"{game.title}: events, moves and steps"),
            (f"start of {game.key}", f"{game.title}: setups and positions"),
        )
    },
}
"""The heading of each group."""


def describe_versions() -> list[str]:
    """The rows of the table of versions."""
    return [f"| {what} | {where} |" for what, where in VERSIONS.items()]


def describe_groups(formats: Mapping[str, Json]) -> str:
    """A section for each group of records, in the order of the headings."""
    order = list(GROUPS)
    names = sorted(formats, key=lambda name: (order.index(_group(name)), name))
    return "\n".join(
        "\n".join(_describe_group(group, {name: formats[name] for name in some}))
        for group, some in groupby(names, _group)
    )


def _describe_group(group: str, formats: Mapping[str, Json]) -> Iterator[str]:
    yield from (
        f"## {GROUPS[group]}",
        "",
        "| record | stored as | members |",
        "| --- | --- | --- |",
    )
    for name, form in formats.items():
        members = ", ".join(_describe_member(*one) for one in form["members"].items())
        yield f"| `{name.partition(': ')[2]}` | {form['as']} | {members or 'none'} |"
    yield ""


def _describe_member(name: str, form: list[str]) -> str:
    text = f"{name}: {form[0]}" + "".join(f" = {default}" for default in form[1:])
    return f"`{text}`".replace("|", r"\|")


def _group(name: str) -> str:
    return name.partition(": ")[0]
