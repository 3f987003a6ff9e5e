"""Where the texts of settings are from: the environment, files with secrets, and `annals.conf`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from service.runtime.config.fields import SETTINGS
from service.runtime.config.record import BadSetting
from service.runtime.config.texts import absolute_path, read_once

PREFIX = "ANNALS_"
FILE_SUFFIX = "_FILE"
"""A secret setting with this suffix names a file that has the value."""
FILE_NAME = "annals.conf"
"""The name of the file with settings in the data folder."""
ENVIRONMENT = "the environment"
CONFIG, DATA = SETTINGS["config"].name, SETTINGS["data"].name
NAMES = frozenset(one.name for one in SETTINGS.values())
SECRET_FILES = frozenset(one.name + FILE_SUFFIX for one in SETTINGS.values() if one.secret)
NAME = re.compile(r"[A-Z_]+")
"""What names of settings look like."""
ADDED_BY_KUBERNETES = re.compile(
    rf"{PREFIX}(\w+_)?(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_\w+)?"
)
"""Names of the variables that describe a Kubernetes service whose name begins with `annals`; one
more, `ANNALS_PORT`, has the name of a setting.
"""
NEW_NAMES = {
    "ANNALS_ANALYSE": "ANNALS_ANALYSIS_SCOPE",
    "ANNALS_ANALYSES": "ANNALS_ANALYSES_PER_HOUR",
    "ANNALS_BEFOREHAND": "ANNALS_WARM_UP",
    "ANNALS_RATE_ADDRESS": "ANNALS_RATE_PER_ADDRESS",
    "ANNALS_RESERVE_MB": "ANNALS_DISK_RESERVE_MB",
    "ANNALS_STREAMS_ADDRESS": "ANNALS_STREAMS_PER_ADDRESS",
    "ANNALS_STREAMS_EACH": "ANNALS_STREAMS_PER_CALLER",
    "ANNALS_STATISTICS_MATCHES": "ANNALS_STATISTICS_MB, with 1 for every 1,000 matches",
    "ANNALS_THINKING_SECONDS": "ANNALS_BOT_QUOTA_SECONDS",
    "ANNALS_WEBHOOK_ASKS": "ANNALS_WEBHOOK_RATE",
}
"""Settings whose old names are refused."""


class SourcedText(NamedTuple):
    """The text of a setting, and where it is from."""

    text: str
    source: str


def find_given(environ: Mapping[str, str]) -> Mapping[str, SourcedText]:
    """Return what this environment and its file give, by field: the environment counts more.
    Raises BadSetting.
    """
    for name in environ:
        if name.startswith(PREFIX) or name.upper() in NAMES:
            check_name(name)
    known = NAMES | SECRET_FILES
    variables = {
        name: SourcedText(text.strip(), ENVIRONMENT)
        for name, text in environ.items()
        if name in known
    }
    return by_field(read_config(environ)) | by_field(variables)


def config_path(environ: Mapping[str, str]) -> Path:
    """Return the path of the file with settings, whether it exists or not."""
    named, data = (environ.get(name, "").strip() for name in (CONFIG, DATA))
    return absolute_path(named or str(Path(data or SETTINGS["data"].default, FILE_NAME)))


def read_config(environ: Mapping[str, str]) -> dict[str, SourcedText]:
    """Return what the file with settings has, by name. Raises BadSetting."""
    path, is_named = config_path(environ), bool(environ.get(CONFIG, "").strip())
    text = read_once(path, is_named)
    found: dict[str, SourcedText] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, equals, value = map(str.strip, line.partition("="))
        where = f"{path}, line {number}"
        if not equals:
            raise BadSetting(f"{where} is not NAME=VALUE.")
        check_name_in_file(name, where)
        if name == CONFIG or (name == DATA and not is_named):
            raise BadSetting(f"{where}: {name} can't be in this file; set it in the environment.")
        if name in found:
            raise BadSetting(f"{where}: {name} is in this file twice.")
        found[name] = SourcedText(unquote(value), where)
    return found


def unquote(value: str) -> str:
    """Return a value without the quotes around it, which a shell would remove, too."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] in "'\"" else value


def by_field(found: Mapping[str, SourcedText]) -> dict[str, SourcedText]:
    """Return what has a text, by field; secrets are read from their files. Raises BadSetting."""
    given: dict[str, SourcedText] = {}
    for field, one in SETTINGS.items():
        value = found.get(one.name)
        file = found.get(one.name + FILE_SUFFIX)
        if file and file.text:
            if value and value.text:
                raise BadSetting(f"Set {one.name} or {one.name}{FILE_SUFFIX}, not both.")
            path = absolute_path(file.text)
            value = SourcedText(read_once(path, True).strip(), f"{path}, named by {file.source}")
            if not value.text:
                raise BadSetting(f"{one.name}{FILE_SUFFIX} names an empty file, {path}.")
        if value and value.text:
            given[field] = value
    return given


def check_name_in_file(name: str, where: str) -> None:
    """Raise BadSetting if this is the name of no setting. Its sentence has only what looks like a
    name, because a line can also be the rest of a secret.
    """
    if name.startswith("export "):
        raise BadSetting(f"{where}: leave out `export`; a line is NAME=VALUE.")
    if not (NAME.fullmatch(name) or name.upper() in NAMES):
        raise BadSetting(f"{where} does not begin with the name of a setting.")
    try:
        check_name(name)
    except BadSetting as error:
        raise BadSetting(f"{where}: {error}") from None


def check_name(name: str) -> None:
    """Raise BadSetting if this is the name of no setting."""
    if new := NEW_NAMES.get(name):
        raise BadSetting(f"{name} is now called {new}.")
    if name not in NAMES and name not in SECRET_FILES:
        raise BadSetting(f"{name} is not a setting: {_hint(name, NAMES)}")


def _hint(name: str, known: Collection[str]) -> str:
    if ADDED_BY_KUBERNETES.fullmatch(name):
        return (
            "Kubernetes adds it for a service of this name. Set `enableServiceLinks: false` in the"
            " pod, or rename the service."
        )
    words = [one.removeprefix(PREFIX) for one in known if one.startswith(PREFIX)]
    if name.upper() in known:
        return f"did you mean {name.upper()}?"
    if name.removesuffix(FILE_SUFFIX) in known:
        return "only secrets are read from files of their own."
    near = get_close_matches(name.removeprefix(PREFIX), words, 1)
    return f"did you mean {PREFIX}{near[0]}?" if near else "`annals config` lists all."
