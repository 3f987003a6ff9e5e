"""What changes in a label of a picture is shown as a whole: a number, or a sum, but no space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page

from domain.games import GAMES
from tests.games.modes import map_tables
from tests.page.screens import moments, scene_of

MODULE = Path(__file__).parents[2] / "service/page/static/match/picture/counting.js"
IMPORT = "const counting = await import(`data:text/javascript,${encodeURIComponent(module)}`);"
JOIN = f"async ([module, ...texts]) => {{ {IMPORT} return counting.joinSums(...texts, ' → '); }}"
SUMS = f"async ([module, texts]) => {{ {IMPORT} return texts.map(counting.sumsOf); }}"
CASES = {
    ("6 + 1", "6 + 0"): "6 + 1 → 6 + 0",
    ("12", "15"): "12 → 15",
    ("9 of 12", "10 of 12"): "9 → 10 of 12",
    ("2 actions left", "1 action left"): "2 → 1 action left",
    ("5+3", "4+4"): "5+3 → 4+4",
    ("\u22122", "3"): "\u22122 → 3",
    ("3 + ? against 2", "3 + ? against 4"): "3 + ? against 2 → 4",
    ("a tile at E5", "a tile at F6"): "a tile at F6",
}
OPERATION = re.compile(r"\d\s*[^\w\s,.;:·/()→-]\s*[\d?]")
"""A sign between two numbers that makes one of them."""
SVG_TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """An empty page that can run modules."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.parametrize(("texts", "joined"), CASES.items())
def test_a_label_shows_before_and_after(modules: Page, texts: tuple[str, str], joined: str) -> None:
    assert modules.evaluate(JOIN, [MODULE.read_text(), *texts]) == joined


@pytest.mark.parametrize("game", GAMES)
def test_no_label_has_a_sum_that_is_shown_in_parts(modules: Page, game: str) -> None:
    tables = list(chain.from_iterable(map_tables(GAMES[game])))
    pictures = (scene_of(tables[0], moment).picture for moment in moments(tables[0]))
    elements = chain.from_iterable(ElementTree.fromstring(one).iter(SVG_TEXT) for one in pictures)
    labels = sorted({"".join(one.itertext()) for one in elements})
    for label, sums in zip(
        labels, modules.evaluate(SUMS, [MODULE.read_text(), labels]), strict=True
    ):
        whole = [one for each in sums for one in OPERATION.findall(each)]
        assert len(OPERATION.findall(label)) == len(whole), label
