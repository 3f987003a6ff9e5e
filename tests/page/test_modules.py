"""Modules of the page import what they call: browsers report a missing import at the call only."""

from __future__ import annotations

import re

import pytest

from service.http.contract import read_contract
from tests.page.sources import SCRIPTS

DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|class) ([\w$]+)", re.MULTILINE
)
"""A name that a module declares for all of its functions."""
NO_CODE = re.compile(r'/\*.*?\*/|(?<![:"`])//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
CALLED = re.compile(r"(?<![\w$.])([\w$]+)(?=\()")
METHOD = re.compile(r"^ +(?:static |async |get |set )*([\w$]+)\(.*\) \{$", re.MULTILINE)
OF_BROWSER = {"focus"}
"""Functions of the window whose names modules use too."""
IN_MODULES = {name for source in SCRIPTS.values() for name in DECLARED.findall(source)}


def find_missing(source: str) -> set[str]:
    """The functions of other modules that a module calls, and has by no import, nor by itself."""
    code = NO_CODE.sub("", source)
    called = set(CALLED.findall(code)) & IN_MODULES - OF_BROWSER
    methods = set(METHOD.findall(code))
    return {name for name in called - methods if not _is_named(name, code)}


def _is_named(name: str, code: str) -> bool:
    """Whether code has a name other than to call it: as an import, a declaration, a parameter."""
    word = re.escape(name)
    return bool(re.search(rf"(?<![\w$.]){word}(?![\w$(])|function\*? {word}\(", code))


@pytest.mark.parametrize("module", SCRIPTS)
def test_modules_import_the_functions_that_they_call(module: str) -> None:
    assert not find_missing(SCRIPTS[module])


def test_a_call_without_an_import_is_found() -> None:
    """Given a module, when one of its imported functions is missing, then the test finds it."""
    source = SCRIPTS["match/match.js"]
    assert find_missing(source.replace("import { buttonOf, ", "import { ")) == {"buttonOf"}


BY_THE_VISITOR = {
    "account.js": "asks who is signed in, when the visitor does something as a player",
    "match/log.js": "earlier entries and a rule, for the visitor; `match.js` retries `reach`",
    "match/replay.js": "an audit, by a button; `match.js` retries `lines`",
    "match/steps.js": "a picture of a step; without it the page shows the present one",
    "push/push.js": "the key, by the visitor; `renew` runs again on the next page",
    "refresh.js": "`table.js` and `lists.js` retry it; else it follows a button",
}
"""Modules that read without `persistent`, and why a failed read is not forgotten."""
READS = re.compile(r"(?<![\w$.])(?:get|getAll|getPage)\((?!\w+\) \{)")
READ_PATH = re.compile(r"(?<![\w$.])(get|getAll)\([`\"]([^`\"]*)[`\"]")
"""How a module reads, and the path, in which `${...}` stands for a part of it."""
PARTLY = {("match/log.js", "${this.path}/events")}
"""Modules that read one page of a list at a time, as far as the visitor goes."""
ONCE = {"match/log.js"}
"""Modules with an image by its address, which a browser reads once: the example of a rule that the
visitor opens, and can open again.
"""


def test_what_a_page_reads_by_itself_is_read_until_it_succeeds() -> None:
    reading = {
        name
        for name, source in SCRIPTS.items()
        if name != "api.js" and READS.search(NO_CODE.sub("", source))
    }
    retrying = {name for name in reading if "persistent(" in SCRIPTS[name]}
    assert reading - retrying == BY_THE_VISITOR.keys()
    images = {name for name, source in SCRIPTS.items() if re.search(r"\bsrc = url\(", source)}
    assert images == ONCE
    assert retrying >= {"live/lists.js", "match/match.js", "match/side/notes.js", "turns.js"}


def test_a_module_that_loads_later_is_tried_again() -> None:
    """By the page itself, or by the visitor, who reads that it failed; a sound may be missing, and
    the next page renews a subscription to push messages.
    """
    loads = {
        (name, line.strip())
        for name, source in SCRIPTS.items()
        for line in NO_CODE.sub("", source).splitlines()
        if "import(" in line
    }
    assert len(loads) > 3
    forgotten = {name for name, line in loads if not re.search(r"\b(attempt|persistent)\(", line)}
    assert forgotten == {"frame.js", "prefs.js"}


def test_lists_that_come_in_pages_are_read_as_a_whole() -> None:
    lists = find_lists()
    read = {
        (how, name, path)
        for name, source in SCRIPTS.items()
        for how, path in READ_PATH.findall(source)
        if without_names(path) in lists
    }
    assert {(name, path) for how, name, path in read if how == "get"} == PARTLY
    assert {without_names(path) for how, _, path in read if how == "getAll"} == {
        "v1/me/turns", "v1/matches/*/lines",
    }  # fmt: skip


def find_lists() -> set[str]:
    """The paths of the contract whose answers come in pages."""
    paths = read_contract().whole()["paths"]
    return {
        without_names(path.removeprefix("/"))
        for path, operations in paths.items()
        if re.search("'limit'|/(Page)?Limit'", str(operations.get("get", {}).get("parameters")))
    }


def without_names(path: str) -> str:
    """A path of a script or of the contract, with a star for each part that it takes from data."""
    whole = re.sub(r"^\$\{(this\.)?path\}", "v1/matches/*", path)
    return re.sub(r"\$?\{[^}]*\}", "*", whole)
