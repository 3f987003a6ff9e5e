"""A release has one version everywhere, and a changelog entry."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from tests.architecture.layout import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = PROJECT["version"]
NAMED = re.compile(
    r"\b(?:annals-|annals |Annals |Release |version |tag `v)(\d+\.\d+\.\d+)\b(?!\.dev)"
)
"""A version of Annals in a guide."""


def test_the_changelog_starts_with_this_version() -> None:
    released = re.findall(r"^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$", changelog(), re.MULTILINE)
    assert released[0] == VERSION
    assert released == sorted(released, key=lambda one: [*map(int, one.split("."))], reverse=True)


def test_every_version_of_the_changelog_says_what_changed() -> None:
    for section in re.split(r"^## \[", changelog(), flags=re.MULTILINE)[1:]:
        if not section.startswith("Unreleased"):
            assert re.search(r"^### \w+\n\n- ", section, re.MULTILINE), section[:20]


def test_the_contract_has_this_version() -> None:
    head = (ROOT / "openapi.yaml").read_text().partition("\nservers:")[0]
    assert yaml.safe_load(head)["info"]["version"] == VERSION


@pytest.mark.slow
@pytest.mark.parametrize("text", PROJECT["dependencies"])
def test_the_wheel_refuses_the_next_version_of_a_library_that_may_be_incompatible(
    text: str,
) -> None:
    wanted = Requirement(text)
    lock = (ROOT / "requirements.lock").read_text()
    found = re.search(rf"^{wanted.name}==(\S+)", lock, re.MULTILINE)
    assert found
    tested = Version(found[1])
    later = f"{tested.major + 1}" if tested.major else f"0.{tested.minor + 1}"
    assert tested in wanted.specifier
    assert later not in wanted.specifier


def test_the_guides_name_this_version_and_the_one_to_upgrade_to() -> None:
    this = Version(VERSION)
    allowed = {VERSION, f"{this.major}.{this.minor + 1}.0"}
    for guide in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        if "decisions" not in guide.parts:
            assert set(NAMED.findall(guide.read_text())) <= allowed, guide


def changelog() -> str:
    return (ROOT / "CHANGELOG.md").read_text()
