"""Checks of what lies outside the data: folders, storage and addresses that settings name."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

from service.admin.written_places import PlaceFault, find_place_faults, find_unreachable_places
from service.runtime.config.fields import SETTINGS
from service.runtime.settings import BadSetting, Settings
from workers.tools.doctor.finding import Finding, Patient

CALLED = ("alert_url", "export_url")
"""The settings, by field, that name an address which the service or its players call."""
PORTS = {"http": 80, "https": 443}
CONNECT_S = 5


def check_places(patient: Patient) -> Iterator[Finding]:
    """Yield whether the service can write where settings say, and whether servers are there."""
    try:
        faults = [
            *find_place_faults(patient.settings),
            *find_unreachable_places(patient.settings),
            *find_unreachable_servers(patient.settings),
        ]
    except BadSetting:  # the check of the settings names it
        return
    for text, cure in faults:
        yield Finding("places", "fail", f"{text}.", f"{cure[0].upper()}{cure[1:]}")
    if not faults:
        yield Finding("places", "ok", "All places that settings name can be reached and written.")


def find_unreachable_servers(settings: Settings) -> Iterator[PlaceFault]:
    """Yield which servers accept no connection. Only their names are said: the rest of an address
    may be secret.
    """
    for field in CALLED:
        if not (url := getattr(settings, field)):
            continue
        parts, name = urlsplit(url), SETTINGS[field].name
        host = parts.hostname or ""
        try:
            socket.create_connection((host, parts.port or PORTS[parts.scheme]), CONNECT_S).close()
        except OSError as error:
            reason = error.strerror or str(error)
            yield PlaceFault(
                f"{name}: {host} can't be reached ({reason})",
                f"mend the name, the network or the server, or change {name}.",
            )
