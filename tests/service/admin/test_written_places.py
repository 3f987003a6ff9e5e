"""Folders that settings name are tried before the service needs them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem  # type: ignore[import-untyped]

from service.admin import written_places
from service.admin.written_places import WRITTEN, find_place_faults, find_unreachable_places
from service.runtime.config import checks
from service.runtime.config.fields import SETTINGS
from service.runtime.settings import Settings, read_settings
from tests.support import bucket as bucket

REACHED = {
    "ANNALS_ALERT_URL": "annals doctor: places",
    "ANNALS_ARCHIVE": "written",
    "ANNALS_BACKUP": "written",
    "ANNALS_CONFIG": "refused if it cannot be read",
    "ANNALS_DATA": "refused if it cannot be written",
    "ANNALS_DISCORD_API": "annals doctor: discord",
    "ANNALS_EXPORT": "written",
    "ANNALS_EXPORT_URL": "annals doctor: places",
    "ANNALS_METRICS": "a note if another process listens there",
    "ANNALS_HOST": "refused if nothing can listen there",
    "ANNALS_PUBLIC_URL": "annals doctor: address",
    "ANNALS_TLOG": "written",
    "ANNALS_TLOG_WITNESSES": "refused unless they can be read",
    "ANNALS_SMTP_HOST": "annals doctor: mail",
    "EVENTS_REDIS_URL": "refused if it does not answer",
    "QUEUE_REDIS_URL": "refused if it does not answer",
    "REDIS_URL": "refused if it does not answer",
}
"""What tries the file, folder or server that a setting names."""
PLAIN = {
    "ANNALS_ACKNOWLEDGE", "ANNALS_ANALYSIS_SCOPE", "ANNALS_CORS_ORIGINS", "ANNALS_DISCORD_APP",
    "ANNALS_DISCORD_KEY", "ANNALS_DISCORD_TOKEN", "ANNALS_LOG_LEVEL", "ANNALS_SIZE",
    "ANNALS_MAIL_FROM", "ANNALS_SMTP_PASSWORD", "ANNALS_SMTP_SECURITY", "ANNALS_SMTP_USER",
    "ANNALS_TLOG_KEYS", "ANNALS_TLOG_ORIGIN",
}  # fmt: skip
"""Settings with a text that names none of these."""


def settings_with(folder: Path, **places: str) -> Settings:
    names = {SETTINGS[field].name: place for field, place in places.items()}
    return read_settings({"ANNALS_DATA": str(folder / "data"), "ANNALS_ARCHIVE_DAYS": "1", **names})


def test_each_setting_that_names_something_is_tried_by_something() -> None:
    """The next one needs its check, too."""
    texts = {one.name for one in SETTINGS.values() if not isinstance(one.default, int | float)}
    assert texts == REACHED.keys() | PLAIN
    assert {SETTINGS[field].name for field in WRITTEN} == {
        name for name, how in REACHED.items() if how == "written"
    }


@pytest.mark.parametrize("field", WRITTEN)
def test_a_folder_that_is_a_file_is_named(field: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in ("file", "file/below"):
        [fault] = find_place_faults(settings_with(tmp_path, **{field: str(tmp_path / place)}))
        assert fault.text == f"{SETTINGS[field].name}: {tmp_path}/file is no folder"
        assert fault.cure.endswith(f"or choose another folder with {SETTINGS[field].name}.")


@pytest.mark.parametrize("field", WRITTEN)
@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_a_folder_that_cannot_be_written_is_named_with_the_cure(
    field: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = OSError(code, os.strerror(code))
    monkeypatch.setattr(written_places, "find_write_error", {tmp_path: error}.get)
    [fault] = find_place_faults(settings_with(tmp_path, **{field: str(tmp_path)}))
    name = SETTINGS[field].name
    assert fault.text == f"{name}: Cannot write in {tmp_path} ({os.strerror(code)})"
    assert fault.cure.endswith(f", or choose another folder with {name}.")
    assert "ANNALS_DATA" not in fault.cure
    sandboxed = f"name it in the systemd unit (ReadWritePaths={tmp_path})"
    assert (sandboxed in fault.cure) == (code == errno.EROFS)


@pytest.mark.parametrize("field", WRITTEN)
def test_a_missing_folder_is_named_if_the_service_does_not_create_it(
    field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_with(tmp_path, **{field: str(tmp_path / "one" / "two")})
    found = list(find_place_faults(settings))
    assert bool(found) == (field == "backup")
    denied = OSError(errno.EACCES, os.strerror(errno.EACCES))
    monkeypatch.setattr(written_places, "find_write_error", {tmp_path: denied}.get)
    [fault] = find_place_faults(settings)
    if field != "backup":
        assert f"so {tmp_path}/one/two can't be created" in fault.text
        assert f"`sudo install -d -o {os.getuid()} {tmp_path}/one/two`" in fault.cure


def test_folders_that_can_be_written_have_no_fault(tmp_path: Path) -> None:
    places = {field: str(tmp_path) for field in WRITTEN}
    assert list(find_place_faults(settings_with(tmp_path, **places))) == []
    assert list(find_place_faults(settings_with(tmp_path, tlog=checks.OFF))) == []
    assert list(tmp_path.iterdir()) == []


def test_a_storage_that_does_not_answer_is_named_without_its_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_with(tmp_path, backup="bucket://key:word@annals", export="bucket://tables")
    assert list(find_unreachable_places(settings)) == []

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("Access Denied")

    monkeypatch.setattr(MemoryFileSystem, "exists", refuse)
    faults = list(find_unreachable_places(settings))
    assert [one.text for one in faults] == [
        "ANNALS_BACKUP: bucket://...@annals does not answer (Access Denied)",
        "ANNALS_EXPORT: bucket://tables does not answer (Access Denied)",
    ]
    assert all(one.cure for one in faults)


@pytest.mark.parametrize("url", ["http://", "https:///x", "https://a:0", "https://a:b", "ftp://a"])
@pytest.mark.parametrize(
    "name", ["ANNALS_ALERT_URL", "ANNALS_EXPORT_URL", "ANNALS_PUBLIC_URL", "ANNALS_DISCORD_API"]
)
def test_an_address_without_a_host_is_refused(name: str, url: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be http:// or https:// with a host"):
        read_settings({name: url})
