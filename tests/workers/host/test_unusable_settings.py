"""A setting that cannot work is refused at the start."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from service.runtime.settings import BadSetting, read_settings
from service.store.archive import targets
from workers.host import optional_packages
from workers.host.errors import CannotRun
from workers.host.unusable_settings import refuse_unusable

ROOT = Path(__file__).resolve().parents[3]
SETTINGS_OF_PACKAGES = {
    "duckdb": {"ANNALS_EXPORT": "/tables"},
    "fsspec": {"ANNALS_EXPORT": "memory://tables", "ANNALS_ARCHIVE": "memory://packs"},
}
"""The settings that need an optional package."""


def test_the_settings_of_every_optional_package_are_tried_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    optional = {package for extra in extras.keys() - {"dev"} for package in extras[extra]}
    assert SETTINGS_OF_PACKAGES.keys() == optional


@pytest.mark.parametrize(
    ("package", "name"),
    [(package, name) for package, names in SETTINGS_OF_PACKAGES.items() for name in names],
)
def test_a_setting_that_needs_a_missing_package_is_refused_with_both(
    package: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings({name: SETTINGS_OF_PACKAGES[package][name]})
    refuse_unusable(settings)
    for module in (targets, optional_packages):
        monkeypatch.setattr(module, "find_spec", lambda one: None if one == package else one)
    with pytest.raises((BadSetting, CannotRun), match=rf"{name} .*needs .*: add"):
        refuse_unusable(settings)


@pytest.mark.parametrize("name", ["ANNALS_EXPORT", "ANNALS_ARCHIVE"])
def test_a_location_that_no_package_knows_is_refused(name: str) -> None:
    with pytest.raises(BadSetting, match=f"{name} cannot be reached"):
        refuse_unusable(read_settings({name: "nowhere://tables"}))


@pytest.mark.parametrize(
    "name", ["ANNALS_EXPORT", "ANNALS_ARCHIVE", "ANNALS_BACKUP", "ANNALS_TLOG"]
)
def test_a_folder_of_an_unknown_home_is_refused(name: str) -> None:
    with pytest.raises(BadSetting, match="a home folder that does not exist"):
        refuse_unusable(read_settings({name: "~none/x"}))
