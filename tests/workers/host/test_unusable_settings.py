"""A setting that cannot work is refused at the start."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from service.runtime.config import checks
from service.runtime.config.fields import SETTINGS
from service.runtime.settings import BadSetting, read_settings
from service.store.archive import targets
from tests.support import bucket as bucket
from workers.host import optional_packages
from workers.host.errors import CannotRun
from workers.host.unusable_settings import refuse_unusable

ROOT = Path(__file__).resolve().parents[3]
SETTINGS_OF_PACKAGES = {
    "duckdb": {"ANNALS_EXPORT": "/tables"},
    "fsspec": {"ANNALS_EXPORT": "bucket://tables", "ANNALS_ARCHIVE": "bucket://packs"},
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


PLACES = ["ANNALS_BACKUP", "ANNALS_ARCHIVE", "ANNALS_EXPORT"]
FLEETING = [
    "memory://", "memory://x", "simplecache::file:///x", "simplecache::/x", "filecache://x",
    "zip://a::s3://b/c.zip", "s3://b::memory://x", "data://x",
]  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("place", FLEETING)
def test_a_place_that_does_not_last_is_refused(name: str, place: str) -> None:
    with pytest.raises(BadSetting, match=f"{name} must be a place that lasts, .*s3://bucket/ann"):
        read_settings({name: place})


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("place", ["file://localhost/x", "file://x", "local://x/y", "file://~/x"])
def test_a_url_of_a_folder_with_a_host_is_refused(name: str, place: str) -> None:
    with pytest.raises(BadSetting, match=f"{name} names no folder .*expected (file|local):// and"):
        read_settings({name: place})


@pytest.mark.parametrize(
    "place", ["", "/x", "x/y", "~/x", "file:///x", "s3://b/c", "/a::b", "gs://b"]
)
def test_a_place_that_may_last_is_accepted(place: str) -> None:
    for name in PLACES:
        read_settings({name: place.replace("~", str(Path.home()))})


def test_every_setting_of_a_place_is_examined() -> None:
    """The next one needs this check, too."""
    named = {one.name for one in SETTINGS.values() if "fsspec reaches" in one.about}
    assert named == {*PLACES}
    assert {one.name for one in SETTINGS.values() if one.check is checks.location} == named
