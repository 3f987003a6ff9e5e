"""A refusal says at its field, in the language of the page, what is wrong and what is valid."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service

IN_ENGLISH = re.compile("[a-z]{3}.*[.]")
IN_CHINESE = re.compile(r"^[^A-Za-z]*[\u4e00-\u9fff][^A-Za-z]*\u3002$")
SAID = {"en-US": IN_ENGLISH, "zh-TW": IN_CHINESE}
LOCALES = [pytest.param(one, marks=[pytest.mark.long] * (one != "zh-TW")) for one in SAID]
WRONG: Mapping[str, Mapping[str, str]] = {
    "register": {"name": "<b>"},
    "code": {"code": "WRONG"},
    "token": {"token": "wrong"},
    "recover": {"name": "Unheard", "code": "wrong"},
}
"""What is wrong in each form of the settings; the last field of each is marked."""
REFUSALS = ("400", "401", "403", "409")


@pytest.mark.parametrize("locale", LOCALES)
def test_each_form_says_at_its_field_why_it_is_refused(
    site: Service, visit: Visit, locale: str
) -> None:
    page = visit(f"{site.url}/settings", locale=locale, faults=REFUSALS)
    assert {*WRONG} == {*page.evaluate(FORMS)}
    for name, fields in WRONG.items():
        form = page.locator(f"[data-form={name}]")
        for field, text in fields.items():
            form.locator(f"[name={field}]").fill(text)
        form.locator("button").click()
        last = form.locator(f"[name={[*fields][-1]}]")
        expect_fault(page, last, SAID[locale])
        last.fill("x")
        expect(last).not_to_have_attribute("aria-invalid", "true")
        expect(form.locator(".fault")).to_have_count(0)
    expect(page.locator("#toasts .wrong")).to_have_count(0)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_taken_name_an_unknown_player_and_an_option_are_marked(
    site: Service, visit: Visit, locale: str
) -> None:
    taken, ann = Visitor(site, "7"), Visitor(site, "8")
    page = visit(f"{site.url}/settings", locale=locale, storage_state=ann.state, faults=REFUSALS)
    name = page.locator("[data-form=rename] input")
    name.fill(taken.name)
    page.locator("[data-form=rename] button").click()
    expect_fault(page, name, re.compile("7|[\u4e00-\u9fff]"))

    page.goto(f"{site.url}/new/hansa_teutonica")
    form = page.locator("#new")
    form.locator("[name=seats]").select_option("3")
    first = form.locator("[data-option=first_player]")
    assert first.locator("option:enabled").count() == 4, "random, and the seats in use"
    form.locator("[data-seat='1'] [name=who]").select_option("invite")
    invited = form.locator("[data-seat='1'] [name=invite]")
    invited.fill("Unheard")
    form.locator("button.main").click()
    expect_fault(page, invited, SAID[locale])

    form.locator("[data-seat='1'] [name=who]").select_option("open")
    form.locator("[data-list=colours] summary").click()
    colours = form.locator("[data-list=colours] select:visible")
    for place in range(3):
        colours.nth(place).select_option("red")
    form.locator("button.main").click()
    expect_fault(page, colours.first, SAID[locale])


FORMS = "[...document.querySelectorAll('[data-form]')].map((form) => form.dataset.form)"


def expect_fault(page: Page, field: Locator, said: re.Pattern[str]) -> None:
    """The field is marked and described by what is wrong, beside it, and has the focus."""
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    described = page.locator(f"#{field.get_attribute('aria-describedby')}")
    expect(described).to_be_visible()
    expect(described).to_have_text(said)


def test_a_form_says_that_the_browser_has_failed(site: Service, visit: Visit) -> None:
    """An error that is no problem of the service has no field."""
    page = visit(f"{site.url}/settings")
    page.evaluate("() => { crypto.getRandomValues = () => { throw new Error(); }; }")
    form = page.locator("[data-form=register]")
    form.locator("[name=name]").fill("Fails")
    form.locator("button").click()
    expect(page.locator("#toasts .wrong")).to_be_visible()
    expect(form.locator(".fault")).to_have_count(0)
