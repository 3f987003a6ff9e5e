"""The modules read only members, attributes and ids that exist: a renamed one would be `undefined`.

In a browser, every test of the page fails if a module reads an unknown member (see `strict`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import service.page
from tests.page.sources import SCRIPTS
from tests.page.strict import schemas
from tests.page.visits import Visit
from tests.support.whole_service import Service

HERE = Path(service.page.__file__).parent
MODULES = "\n".join(SCRIPTS.values())
TEMPLATES = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted((HERE / "templates").iterdir())
)
COPIES = {
    "menu": ("LegalMoves", {"effectOf", "labelOf", "learn", "requestOf", "ruleOf"}),
    "problem": ("Problem", {"name", "retryAfter"}),
}
"""Variables with a copy of a response, its schema, and what the modules add."""
IDS = re.compile(r'(?:\$|getElementById|fill|refreshSoon)\("([\w-]+)"')
SELECTED = re.compile(r"\[data-([\w-]+)")
DATA = re.compile(r"\b(?:dataset|page)\??\.(\w+)(?!\w|\s*\?*=[^=])")
TAKEN = re.compile(r"\{ ([^{}]+) \} = (?:page|[^;]*\bdataset)\b")
GIVEN = re.compile(r"\bdata-([\w-]+)|\b(?:dataset|page)\.(\w+)\s*\?*=[^=]|dataset\[(\w+)\] =")


@pytest.mark.parametrize("variable", COPIES)
def test_members_of_copied_responses_exist(variable: str) -> None:
    schema, added = COPIES[variable]
    read = set(re.findall(rf"\b{variable}\??\.(\w+)", MODULES))
    assert read
    assert read - added - schemas()[schema]["properties"].keys() == set()


def test_ids_that_modules_name_exist() -> None:
    named = set(IDS.findall(MODULES))
    assert {"board", "prompt", "toasts"} <= named
    assert {one for one in named if f'"{one}"' not in TEMPLATES} == set()


def test_no_module_handles_the_forms_of_dialogs() -> None:
    """A page listens to the forms that it has: a form of a dialog belongs to the dialog."""
    assert 'document.addEventListener("submit"' not in MODULES


def test_data_attributes_that_modules_read_exist() -> None:
    given = {*given_attributes(), *OF_PANELS}
    read = {kebab(name) for name in DATA.findall(MODULES)} | set(SELECTED.findall(MODULES))
    for names in TAKEN.findall(MODULES):
        read |= {kebab(name.partition(":")[0].strip()) for name in names.split(",")}
    assert {"me", "match", "version", "touch", "post"} <= read
    assert read - given == set()


OF_PANELS = {"panel", "role", "size", "folds", "last", "sign"}
"""Data attributes in pictures: of panels, marks of the last turn, and signs that name things."""


def given_attributes() -> Iterator[str]:
    """The data attributes that templates and modules set."""
    quoted = re.sub(SELECTED, "", MODULES)
    for names in GIVEN.findall(f"{TEMPLATES}\n{quoted}"):
        yield from (kebab(name) for name in names if name)


def kebab(name: str) -> str:
    """`languageChoice` as in an attribute: `language-choice`."""
    return re.sub(r"[A-Z]", lambda found: f"-{found[0].lower()}", name)


def test_reading_an_unknown_member_is_an_error(site: Service, visit: Visit) -> None:
    page = visit(f"{site.url}/turns", faults=("unknown member: says",))
    with page.expect_console_message(lambda message: "unknown member: says" in message.text):
        page.evaluate("""async () => {
            const { sentences, rule, says } = await new Response('{"sentences": []}').json();
        }""")
