"""Files, and functions in them, that the docs name are there."""

from __future__ import annotations

import re

import pytest

from tests.architecture.layout import CODE, ROOT

PAGES = [ROOT / "README.md", ROOT / "openapi.yaml", *sorted((ROOT / "docs").rglob("*.md"))]
FILE = re.compile(rf"`((?:{'|'.join(CODE)}|tests|examples)/[\w./]*)(?:: (\w+))?`")


def test_the_docs_name_files():
    assert sum(len(FILE.findall(page.read_text())) for page in PAGES) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_is_there(page):
    for path, function in FILE.findall(page.read_text()):
        assert (ROOT / path).exists(), path
        assert not function or f"def {function}(" in (ROOT / path).read_text()


def test_the_architecture_names_each_module_of_the_service():
    """By its path, or by its name in the row of its folder; routes are each a part of the contract,
    and schemas are those of their routes.
    """
    page = (ROOT / "docs/architecture.md").read_text()
    folder = ROOT / "service"
    paths = {f"service/{path.name}" for path in folder.glob("*.py")} - {"service/__init__.py"}
    missing = {path for path in paths if f"`{path}`" not in page}
    for inside in folder.glob("*/__init__.py"):
        row = page.partition(f"`service/{inside.parent.name}/`")[2].partition("\n")[0]
        named = set(re.findall(r"`(\w+)`", row))
        modules = {path.stem for path in inside.parent.glob("*.py")} - {"__init__"}
        if inside.parent.name != "api":
            found = {name for name in modules - named if not name.endswith("schemas")}
            missing |= {f"service/{inside.parent.name}/{name}.py" for name in found}
    assert missing == set()
