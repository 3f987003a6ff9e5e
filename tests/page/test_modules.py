"""Modules of the page import what they call: browsers report a missing import at the call only."""

from __future__ import annotations

import re

import pytest

from service.page.assets import ASSETS, JAVASCRIPT

MODULES = {
    name: asset.content.decode()
    for name, asset in ASSETS.items()
    if asset.media_type == JAVASCRIPT and not name.startswith("vendor/")
}
DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|class) ([\w$]+)", re.MULTILINE
)
"""A name that a module declares for all of its functions."""
NO_CODE = re.compile(r'/\*.*?\*/|(?<![:"`])//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
CALLED = re.compile(r"(?<![\w$.])([\w$]+)(?=\()")
METHOD = re.compile(r"^ +(?:static |async |get |set )*([\w$]+)\(.*\) \{$", re.MULTILINE)
OF_BROWSER = {"focus"}
"""Functions of the window whose names modules use too."""
IN_MODULES = {name for source in MODULES.values() for name in DECLARED.findall(source)}


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


@pytest.mark.parametrize("module", MODULES)
def test_modules_import_the_functions_that_they_call(module: str) -> None:
    assert not find_missing(MODULES[module])


def test_a_call_without_an_import_is_found() -> None:
    """Given a module, when one of its imported functions is missing, then the test finds it."""
    source = MODULES["match/match.js"]
    assert find_missing(source.replace("import { buttonOf, ", "import { ")) == {"buttonOf"}
