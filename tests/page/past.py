"""A finished match as the pages of a replay show it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Page, expect

from tests.page.pictures import panel_texts, panel_texts_on_screen
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.support.patience import eventually
from tests.support.whole_service import Service

IS_SCROLLED_TO = """(line) => {
  const at = line.getBoundingClientRect();
  return ["log", "side"].map((id) => document.getElementById(id)).every((frame) => {
    if (getComputedStyle(frame).overflowY === "visible") return true;
    const { top, bottom } = frame.getBoundingClientRect();
    return top <= at.top + 1 && at.top < bottom;
  });
}"""
"""Whether an element that scrolls shows the beginning of a line of the log."""
UNDONE = 6
"""The version of the one undone move; the two after it undid it."""


@dataclass(frozen=True)
class Past:
    """A finished match, and its two players."""

    site: Service
    people: list[Visitor]
    match: str
    version: int
    _texts: dict[tuple[int, str], dict[str, str]] = field(default_factory=dict, repr=False)

    @property
    def address(self) -> str:
        """The address of the replay."""
        return f"{self.site.url}/matches/{self.match}"

    def texts_of(self, version: int, eyes: str = "") -> dict[str, str]:
        """The text in each panel of the picture of a version, as a spectator sees that seat."""
        if (version, eyes) not in self._texts:
            seen = f"&as={eyes}" if eyes else ""
            path = f"/v1/matches/{self.match}/board.svg?version={version}&language=en{seen}"
            self._texts[version, eyes] = panel_texts(self.site.picture(path))
        return self._texts[version, eyes]


def shows(page: Page, past: Past, version: int, eyes: str = "") -> None:
    """Check that the page shows a version as a seat sees it: picture, text, address and slider."""
    await_settled(page, version)
    assert panel_texts_on_screen(page) == past.texts_of(version, eyes)
    expect(page.locator("#at")).to_have_text(f"{version} of {past.version}")
    expect(page.locator("#moment")).to_have_value(str(version))
    marked = page.locator("#log li.shown")
    if version == past.version:
        assert not re.search(r"v=\d", page.url)
        expect(marked).to_have_count(0)
    else:
        assert f"v={version}" in page.url
        expect(marked).to_have_attribute("data-version", str(version))
        expect(page.locator("#prompt")).to_contain_text(f"{version} of {past.version}")


def open_analysis(page: Page) -> None:
    """Open the panel of the analysis and wait until it is complete."""
    page.locator("#analysis summary").click()
    page.locator("#analysis[data-known]").wait_for()


def play_past(site: Service) -> Past:
    """A match of Qin with four moves, of which the last was undone, two more, and a resignation."""
    people = [Visitor(site, name) for name in ("Winner", "Loser")]
    match, chance = begin_match(people, game="qin", seed="7" * 64), Random(2)
    path = f"/v1/matches/{match}"
    play_match(people, match, 4, chance)
    waits = people[0].call("GET", path)["awaiting"][0]["seat"]
    people[1 - waits].call("POST", f"{path}/undo")
    people[waits].call("POST", f"{path}/undo/answer", {"agree": True})
    play_match(people, match, 2, chance)
    people[1].call("POST", f"{path}/resign")
    eventually(lambda: people[0].call("GET", path)["status"] == "scored")
    return Past(site, people, match, people[0].call("GET", path)["version"])
