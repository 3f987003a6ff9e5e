"""A refusal appears in the language of the page."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service


def test_a_page_in_chinese_says_in_chinese_why_something_is_refused(
    site: Service, visit: Visit
) -> None:
    taken, ann = Visitor(site, "Taken"), Visitor(site, "Ann")
    address = f"{site.url}/settings"
    for locale in ("zh-TW", "zh-CN"):
        page = visit(address, locale=locale, storage_state=ann.state, faults=("409",))
        page.locator("[data-form=rename] input").fill(taken.name)
        page.locator("[data-form=rename] button").click()
        toast = page.locator("#toasts .toast.wrong")
        expect(toast).to_have_text(re.compile(r"^[^A-Za-z]*[\u4e00-\u9fff][^A-Za-z]*$"))
