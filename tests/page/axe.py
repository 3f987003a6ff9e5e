"""What people who see, hear or move otherwise would miss on a page, as found by axe-core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.page.visits import paint

OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose result depends on the colours of a page."""
OF_LAYOUT = (*OF_COLOURS, "scrollable-region-focusable", "meta-viewport")
"""The rules whose result depends on the colours of a page or on its layout."""
ALIKE = 4
"""How many texts with the same colours, ground and size are measured on a page: this takes most of
the time.
"""
OPTIONS = {"resultTypes": ["violations"], "preload": False, "selectors": False}
CONFIGURE = (
    '() => axe.configure({ rules: [{ id: "color-contrast", selector: "[data-measured]" }] })'
)
RUN = """async ([options, most]) => {
    const grounds = new Map([[null, ""]]), counts = new Map();
    const groundOf = (one) => {
        if (!grounds.has(one)) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(one);
            const own = [backgroundColor, backgroundImage, opacity].join();
            const isClear = own === "rgba(0, 0, 0, 0),none,1";
            grounds.set(one, groundOf(one.parentElement) + (isClear ? "" : `;${own}`));
        }
        return grounds.get(one);
    };
    const hasText = (one) => one.matches("input, select, textarea")
        || [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const isSeen = (one) => {
        const { width, height } = one.getBoundingClientRect();
        return Math.min(width, height) > 1 && one.checkVisibility({ visibilityProperty: true });
    };
    for (const one of document.querySelectorAll("body *")) {
        delete one.dataset.measured;
        if (!hasText(one) || !isSeen(one)) continue;
        const { color, fill, fontSize, fontWeight, textShadow } = getComputedStyle(one);
        const look = [color, fill, fontSize, fontWeight, textShadow, groundOf(one)].join();
        counts.set(look, (counts.get(look) ?? 0) + 1);
        if (counts.get(look) <= most) one.dataset.measured = "";
    }
    return (await axe.run(options)).violations;
}"""


def faults(page: Page, rules: Sequence[str] = (), alike: int = ALIKE) -> list[str]:
    """The violations of these rules, or of all, on a page: the rule, where the page breaks it, and
    how to fix it. It measures the contrast of at most `alike` texts that look alike.
    """
    paint(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
        page.evaluate(CONFIGURE)
    options: dict[str, Any] = OPTIONS | ({"runOnly": list(rules)} if rules else {})
    return [
        f"{fault['id']}: {node['html'][:200]} {node['failureSummary']}"
        for fault in page.evaluate(RUN, [options, alike])
        for node in fault["nodes"]
    ]
