"""The settings of a running service, for commands that examine it from a shell with others."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from service.runtime.atomic_write import PRIVATE_MODE, write_durably
from service.runtime.config.fields import SETTINGS
from service.runtime.settings import Settings

FILE = "annals.settings"
"""The file in the data folder with the settings of the last run, without secrets."""
RECORDED = [field for field, one in SETTINGS.items() if not one.secret and field != "data"]


def record_settings(settings: Settings) -> None:
    """Write what a service runs with, secrets excepted. Raises OSError."""
    values = {field: getattr(settings, field) for field in RECORDED}
    write_durably(settings.data / FILE, msgspec.json.encode(values), PRIVATE_MODE)


def recorded_settings(own: Settings) -> Settings:
    """Return the settings with which a service runs on the same data folder, with the secrets of
    this command; those of this command if they cannot be read.
    """
    with suppress(OSError, msgspec.MsgspecError):  # it has just begun, or is of another version
        values = msgspec.json.decode((own.data / FILE).read_bytes())
        known: dict[str, Any] = {
            field: msgspec.convert(values[field], type(SETTINGS[field].default))
            for field in RECORDED
            if field in values
        }
        return replace(own, **known)
    return own
