"""The first minute in a real browser: from the link on the console to an operator's account."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.axe import faults
from tests.page.test_account import read_secret_once
from tests.page.visits import Visit
from tests.support.whole_service import Service

HOUSE = "春秋 House"


def test_the_link_of_the_console_makes_an_operator(site: Service, visit: Visit) -> None:
    link = site.command("admin", "setup").stdout.strip()
    assert re.fullmatch(rf"{site.url}/setup\?code=[\w-]{{32}}", link)
    elsewhere = link.replace("127.0.0.1", "house.test")
    page = visit(elsewhere, locale="zh-TW", faults=("403",))
    assert faults(page) == []
    assert page.locator("[name=public_url]").input_value() == elsewhere.partition("/setup")[0]
    page.locator("[name=public_url]").fill("")
    page.locator("[name=house]").fill(HOUSE)
    page.locator("[name=name]").fill("First Ada")
    page.locator("#setup button").click()
    page.wait_for_url("**/settings#keep")
    expect(page.locator(".brand")).to_contain_text(HOUSE)
    expect(page.locator("header .person")).to_have_text("First Ada")
    page.locator("[data-do=codes]").click()
    assert len(read_secret_once(page)) > 1
    page.goto(elsewhere)
    expect(page.locator("#setup")).to_have_count(0)  # the link is used up
    page.goto(f"{elsewhere.partition('?')[0]}")
    page.locator("[name=house]").fill("Annals")
    page.locator("#setup button").click()
    page.wait_for_url("**/settings#keep")
    assert "First Ada" in site.command("admin", "operators").stdout
