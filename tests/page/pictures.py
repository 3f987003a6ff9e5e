"""The panels of a picture: those that the service draws, and those on the screen."""

from __future__ import annotations

from xml.etree import ElementTree

from playwright.sync_api import Page

HEAD = "head"
"""The role of the panel that the page replaces by its own prompt."""
SHOWN = """(panels) => panels.map((one) => [one.dataset.panel, one.textContent])"""


def panel_texts(picture: str) -> dict[str, str]:
    """The text of each panel that the page shows, by its name."""
    drawn = ElementTree.fromstring(picture).iterfind(".//*[@data-panel]")
    return {
        one.attrib["data-panel"]: "".join(one.itertext())
        for one in drawn
        if one.attrib["data-role"] != HEAD
    }


def panel_texts_on_screen(page: Page) -> dict[str, str]:
    """The text of each panel on the screen, by its name."""
    return dict(page.locator("[data-panel]").evaluate_all(SHOWN))
