"""All settings as operators see them: value, source, default and meaning; no secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.runtime.config.fields import SETTINGS
from service.runtime.config.record import Setting
from service.runtime.config.sources import SourcedText
from service.runtime.settings import Settings

ASIDE = re.compile(r" \(\[[^\]]*\]\([^)]*\)\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
PASSWORD = re.compile(r"://.*@", re.DOTALL)
QUERY = re.compile(r"(://[^?]*\?).+", re.DOTALL)
DEFAULT = "default"


@dataclass(frozen=True)
class Row:
    """A setting as it is shown."""

    name: str
    value: str
    source: str
    default: str
    about: str


def describe_settings(given: Mapping[str, SourcedText], found: Settings) -> Iterator[Row]:
    """Yield all settings: what is `given` by field, and what has been `found` with it."""
    for field, one in SETTINGS.items():
        source = DEFAULT
        if field in given:
            source = given[field].source
        elif found.size in one.by_size:
            source = f"ANNALS_SIZE={found.size}"
        is_derived = one.secret and field not in given
        value = one.default if is_derived else getattr(found, field)
        yield Row(
            one.name,
            show_value(value, one),
            source,
            show_value(one.default, one),
            LINK.sub(r"\1", ASIDE.sub("", one.about)),
        )


def show_value(value: object, one: Setting) -> str:
    """Return a value as you would set it, without the names, passwords and queries of URLs."""
    if one.secret and value:
        return "(not shown)"
    if isinstance(value, float):
        return f"{value:g}"
    return ",".join(map(hide_secrets, value if isinstance(value, tuple) else (str(value),)))


def hide_secrets(text: str) -> str:
    """Return a text without what may be a name, password or query of the URL that it ends with. A
    password can have any character.
    """
    return QUERY.sub(r"\1...", PASSWORD.sub("://...@", text))
