"""What people who see, hear or move otherwise would miss on a page, as found by axe-core."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")


def faults(page: Page) -> list[str]:
    """The serious violations: the rule, where the page breaks it, and how to fix it."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:200]} {node['failureSummary']}"
        for fault in violations
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]
