"""What people who see, hear or move otherwise would miss on a page, as found by axe-core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose result depends on the colours of a page."""
OF_LAYOUT = (*OF_COLOURS, "scrollable-region-focusable", "meta-viewport")
"""The rules whose result depends on the colours of a page or on its layout."""
OPTIONS = {"resultTypes": ["violations"], "preload": False, "selectors": False}
RUN = """async (options) => (await axe.run(options)).violations"""


def faults(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """The violations of these rules, or of all, on a page: the rule, where the page breaks it, and
    how to fix it.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    options: dict[str, Any] = OPTIONS | ({"runOnly": list(rules)} if rules else {})
    return [
        f"{fault['id']}: {node['html'][:200]} {node['failureSummary']}"
        for fault in page.evaluate(RUN, options)
        for node in fault["nodes"]
    ]
