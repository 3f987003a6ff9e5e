"""Each kind of thing has one record in the code; its table in the docs follows from the records."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import get_args

from domain.games import GAMES
from domain.match.events import MATCH_EVENTS
from domain.match.state import MatchEvent
from domain.notice_types import NOTICE_TYPES, NoticeName
from projections.statistics.metrics import (
    CATEGORY_PREFIX,
    COMMON_METRICS,
    SHARE_PREFIX,
    Metric,
    categories,
    metrics_of,
)
from service.admin.setting_rows import show_value
from service.analytics.table_folders import TABLES_VERSION
from service.channels.discord.interactions.commands import COMMANDS, Option
from service.runtime.config.fields import SETTINGS
from service.runtime.config.record import Setting
from service.runtime.config.sources import FILE_SUFFIX
from tests.architecture.layout import ROOT
from tests.stored.described import describe_groups, describe_versions
from tests.support.documented import DOCS, check_file, with_table
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns, file_type

NOTICES = "| type | sent when | adds |"
DISCORD = "| command | use it to |"
MESSAGES = DOCS.parent / "conformance" / "messages.json"
VERSIONS = "| what | its version, and where it is recorded |"
FORMATS = DOCS.parent / "tests" / "stored" / "formats.json"
METRICS_OF_CATEGORIES = {
    CATEGORY_PREFIX: "Points in one category of the game's scoring.",
    SHARE_PREFIX: "Points in one category, as a share of the score.",
}
METRICS = "| metric | of | unit | what it measures |"
PROMETHEUS = "| metric | labels | what it counts |"
PROMETHEUS_KINDS = ("Counter", "Gauge", "GaugeMetricFamily", "Histogram")
EVENTS = "| event | members | what happened |"
PARTITION_COLUMNS = "| column | type | what it is |"
SETTINGS_HEADER = "| setting | default | what it does |\n| --- | --- | --- |\n"


def test_each_notice_type_has_a_record_and_a_row(update_tables: bool) -> None:
    assert tuple(NOTICE_TYPES) == get_args(NoticeName)
    rows = [
        f"| `{one.name}` | {one.sent_when} | {', '.join(f'`{m.name}`' for m in one.members)} |"
        for one in NOTICE_TYPES.values()
    ]
    page = DOCS / "webhooks.md"
    ping = "| `ping` | you ask for it | `example` |"
    check_file(page, with_table(page.read_text(), NOTICES, [*rows, ping]), update_tables)


def test_each_discord_command_has_a_row(update_tables: bool) -> None:
    rows = [
        f"| `{' '.join(['/annals', one.name, *map(show_option, one.options)])}` | {one.does} |"
        for one in COMMANDS.values()
    ]
    page = DOCS / "discord.md"
    check_file(page, with_table(page.read_text(), DISCORD, rows), update_tables)


def show_option(option: Option) -> str:
    return option.name if option.required else f"[{option.name}]"


def test_each_setting_has_a_row(update_tables: bool) -> None:
    page = DOCS / "settings.md"
    check_file(page, with_settings(page.read_text()), update_tables)


def with_settings(page: str) -> str:
    """The page with all settings: each table has those up to the first one of the next table."""
    start, *parts = page.split(SETTINGS_HEADER)
    names = [one.name for one in SETTINGS.values()]
    rows = [describe_setting(one) for one in SETTINGS.values()]
    first = [names.index(part.split("`")[1]) for part in parts]
    tables = [
        "".join(rows[begin:end]) + part[part.index("\n\n") + 1 :]
        for part, begin, end in zip(parts, first, [*first[1:], None], strict=True)
    ]
    return SETTINGS_HEADER.join([start, *tables])


def describe_setting(one: Setting) -> str:
    default = show_value(one.default, one)
    shown = f"`{default}` " if default else ""
    name = f"`{one.name}`, `{one.name}{FILE_SUFFIX}`" if one.secret else f"`{one.name}`"
    return f"| {name} | {shown}| {one.about} |\n"


def test_each_metric_has_a_row(update_tables: bool) -> None:
    page = DOCS / "analytics.md"
    rows = [describe_metric(one, one.name, one.description) for one in COMMON_METRICS]
    game = GAMES["qin"]
    for prefix, about in METRICS_OF_CATEGORIES.items():
        one = metrics_of(game)[prefix + categories(game)[0]]
        rows.append(describe_metric(one, f"{prefix}<name>", about))
    check_file(page, with_table(page.read_text(), METRICS, rows), update_tables)


def describe_metric(one: Metric, name: str, about: str) -> str:
    return f"| `{name}` | {one.subject} | {one.unit} | {about} |"


def test_each_metric_for_prometheus_has_a_row_with_its_labels() -> None:
    page = (DOCS / "operations.md").read_text()
    table = page.partition(f"{PROMETHEUS}\n")[2].partition("\n\n")[0]
    documented = {
        name: tuple(filter(None, labels.strip().split(", ")))
        for row in table.splitlines()[1:]
        for _, names, labels, _ in [row.split("|", 3)]
        for name in re.findall(r"annals_\w+", names)
    }
    assert documented == dict(find_prometheus_metrics())


def find_prometheus_metrics() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The metrics that the code makes, each with its labels; counters get `_total`."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "service").rglob("*.py"))
    for text in (text for text in texts if "prometheus_client" in text):
        for call in ast.walk(ast.parse(text)):
            match call:
                case ast.Call(ast.Name(kind), [ast.Constant(str(name)), *others], named):
                    if kind in PROMETHEUS_KINDS:
                        values = [*others, *(one.value for one in named if one.arg == "labels")]
                        labels = [ast.literal_eval(one) for one in values if is_tuple(one)]
                        yield name + ("_total" if kind == "Counter" else ""), *(labels or [()])


def is_tuple(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple)


def test_each_event_of_a_match_has_a_row(update_tables: bool) -> None:
    page = DOCS / "match.md"
    rows = map(describe_event, MATCH_EVENTS)
    check_file(page, with_table(page.read_text(), EVENTS, rows), update_tables)


def describe_event(event: type[MatchEvent]) -> str:
    members = ", ".join(f"`{name}`" for name in event.__struct_fields__)
    about = " ".join((event.__doc__ or "").split())
    return f"| `{event.__name__}` | {members or 'none'} | {about} |"


def test_each_stored_record_has_a_row(update_tables: bool) -> None:
    page = DOCS / "stored-formats.md"
    text = with_table(page.read_text(), VERSIONS, describe_versions())
    start, begin, _ = text.partition("## Events of every match\n")
    assert begin
    check_file(page, start + describe_groups(json.loads(FORMATS.read_text())), update_tables)


def test_each_exported_table_has_all_columns(update_tables: bool) -> None:
    page = DOCS / "tables.md"
    text = with_table(page.read_text(), PARTITION_COLUMNS, map(describe_partition, PARTITIONS))
    start, begin, rest = text.partition("### matches\n")
    end = rest[rest.index("\n## ") :]
    tables = "\n".join(map(describe_table, TABLES))
    assert begin
    check_file(page, start + tables + end, update_tables)
    assert f"version {TABLES_VERSION} of the schema" in text


def describe_partition(name: str) -> str:
    return f"| `{name}` | VARCHAR | {PARTITIONS[name]} |"


def describe_table(table: str) -> str:
    about = (TABLES[table].__doc__ or "").strip()
    rows = [
        f"| `{one.name}` | {file_type(one)} | {'yes' if one.nullable else ''} | {one.about} |"
        for one in columns(table)
    ]
    head = ["| column | type | null | what it is |", "| --- | --- | --- | --- |"]
    return "\n".join([f"### {table}", "", about, "", *head, *rows, ""])


def test_the_conformance_cases_have_the_members_of_each_type(update_tables: bool) -> None:
    cases = json.loads(MESSAGES.read_text())
    cases["adds"] = {
        **{one.name: [m.name for m in one.members] for one in NOTICE_TYPES.values()},
        "ping": ["example"],
    }
    cases["seats"] = [one.name for one in NOTICE_TYPES.values() if one.seat is not None]
    check_file(MESSAGES, json.dumps(cases, indent=2) + "\n", update_tables)
