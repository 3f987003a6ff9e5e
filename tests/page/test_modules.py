"""Modules of the page import what they call: browsers report a missing import at the call only."""

from __future__ import annotations

import re

import pytest

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
    "refresh.js": "`table.js` and `lists.js` retry it; else it follows a button",
}
"""Modules that read without `persistent`, and why a failed read is not forgotten."""
READS = re.compile(r"(?<![\w$.])(?:get|getPage)\((?!\w+\) \{)")


def test_what_a_page_reads_by_itself_is_read_until_it_succeeds() -> None:
    reading = {
        name
        for name, source in SCRIPTS.items()
        if name != "api.js" and READS.search(NO_CODE.sub("", source))
    }
    retrying = {name for name in reading if "persistent(" in SCRIPTS[name]}
    assert reading - retrying == BY_THE_VISITOR.keys()
    assert retrying >= {"live/lists.js", "match/match.js", "match/side/notes.js", "turns.js"}
