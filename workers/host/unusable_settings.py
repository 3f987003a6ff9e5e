"""Refuses settings that a process of the service would refuse, again and again, once it runs."""

from __future__ import annotations

from service.runtime.settings import Settings
from service.store.archive.targets import archive_target, open_target
from service.tlog.witnesses import read_witnesses
from workers.host.optional_packages import require_duckdb


def refuse_unusable(settings: Settings) -> None:
    """Raise BadSetting or CannotRun if a setting names a folder or a witness that is none, a
    location that cannot be reached, or something that needs a package that is not installed.
    """
    settings.tlog_folder  # noqa: B018 - raises BadSetting
    read_witnesses(settings.tlog_witnesses)
    archive_target(settings)
    if settings.backup:
        open_target(settings.backup, "ANNALS_BACKUP")
    if settings.export:
        open_target(settings.export, "ANNALS_EXPORT")
        require_duckdb("ANNALS_EXPORT")
