"""The settings in a real browser: names, recovery, devices, deletion; and the preferences that a
browser remembers.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service

REFUSAL_MESSAGES = ("401", "409", "400", "403")
"""The browser's message for a refused request."""
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
GROUND = "getComputedStyle(document.body).backgroundColor"

SAID = """async () => {
    const { src } = document.querySelector("script[type=module]");
    const { ago, percent } = await import(src.replace(/(page\\/\\w+\\/).*/, "$1words.js"));
    const said = (ms) => ago(new Date(Date.now() + ms).toISOString());
    return [said(-150_000), said(3 * 86_400_000), percent(-0.21), percent(0.5)];
}"""
"""Two times and two shares, as the scripts of a page say them."""


@pytest.fixture
def ann(site: Service) -> Visitor:
    return Visitor(site, "Settled Ann")


def settings(site: Service, visit: Visit, who: Visitor | None = None, **options: Any) -> Page:
    """The settings page in a separate browser, signed in as `who`, or signed out."""
    state = {"storage_state": who.state} if who else {}
    return visit(f"{site.url}/settings", faults=REFUSAL_MESSAGES, **state, **options)


def send(page: Page, form: str, **fields: str) -> None:
    """Fill in a form of the settings and submit it."""
    for name, value in fields.items():
        page.locator(f"[data-form={form}] [name={name}]").fill(value)
    page.locator(f"[data-form={form}] button").click()


def press(page: Page, action: str) -> None:
    page.locator(f"[data-do={action}]").click()


def read_secret_once(page: Page) -> list[str]:
    """The lines of the secret on the page, after a confirmation that they are saved."""
    box = page.locator("dialog[open]")
    lines = box.locator(".secret").inner_text().split("\n")
    box.locator("button.main").click()
    return lines


def answer(page: Page, *, yes: bool) -> None:
    """Answer the dialog."""
    question = page.locator("dialog[open]")
    question.locator("button.grave" if yes else "button:not(.grave)").click()
    question.wait_for(state="detached")


def refusal(page: Page) -> str:
    """The text of the refusal."""
    return page.locator(".toast.wrong, .fault").inner_text()


def belongs_to(page: Page, who: str) -> None:
    """The page shows this player; "" if it is signed out."""
    page.locator(f"html[data-me='{who}']").wait_for()


def is_called(page: Page, name: str) -> None:
    """The page greets its visitor by this name."""
    page.locator("header .person").get_by_text(name, exact=True).wait_for()


def of_token(site: Service, token: str) -> tuple[int, Any]:
    return site.call("GET", "/v1/me", Authorization=f"Bearer {token}")


def test_a_guest_is_warned_until_they_can_keep_their_account(site: Service, visit: Visit) -> None:
    """Each reader sees their name in their own language."""
    page = visit(site.url, locale="zh-TW")
    assert page.locator("#guest").count() == 0
    page.locator("[data-play=qin]").click()
    page.locator("[data-level]:visible").first.click()
    page.wait_for_url("**/matches/*")
    breaks = page.locator("#prompt").evaluate("one => getComputedStyle(one).wordBreak")
    assert breaks == "keep-all", "no line breaks inside a word"
    page.goto(f"{site.url}/turns")
    expect(page.locator("#guest")).to_be_visible()
    expect(page.locator("header .person")).to_have_text(re.compile("^\u8a2a\u5ba2[0-9A-F]{6}$"))
    times, shares = ["2\u5206\u9418\u524d", "3\u5929\u5f8c"], ["\u221221%", "50%"]
    assert page.evaluate(SAID) == [*times, *shares]
    page.click("#guest a")
    press(page, "codes")
    read_secret_once(page)
    page.goto(site.url)
    expect(page.locator("#guest")).to_be_hidden()


def test_a_name_is_all_it_takes_and_can_be_changed(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    page = settings(site, visit)
    belongs_to(page, "")
    send(page, "register", name=ann.name)
    assert ann.name in refusal(page), "two have not the same name"
    send(page, "register", name="Registered Bob")
    token, *codes = read_secret_once(page)
    is_called(page, "Registered Bob")
    status, bob = of_token(site, token)
    assert (status, bob["name"]) == (200, "Registered Bob")
    assert len(codes) > 1
    belongs_to(page, bob["id"])

    send(page, "rename", name=ann.name)
    assert ann.name in refusal(page)
    assert of_token(site, token)[1]["name"] == "Registered Bob"
    send(page, "rename", name="Renamed Bob")
    is_called(page, "Renamed Bob")
    assert of_token(site, token)[1]["name"] == "Renamed Bob"


def test_a_token_a_link_and_codes_lead_to_an_account_on_another_device(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    page, telephone = settings(site, visit, ann), settings(site, visit, user_agent=FIREFOX)
    token = sign_in_by_new_token(site, page, telephone, ann)
    end_device(page, telephone)
    belongs_to(page, ann.id)
    sign_in_by_link(page, telephone, ann)
    assert sessions(site, token) == 2
    press(telephone, "leave")
    answer(telephone, yes=False)
    assert sessions(site, token) == 2
    press(telephone, "leave")
    answer(telephone, yes=True)
    belongs_to(telephone, "")
    assert sessions(site, token) == 1, "the cookie is worth nothing any more"
    recover(site, page, telephone, ann)
    page.reload()
    belongs_to(page, "")


def sign_in_by_new_token(site: Service, page: Page, telephone: Page, ann: Visitor) -> str:
    """Make a token on a page, and sign in with it on another device; returns it."""
    press(page, "token")
    [token] = read_secret_once(page)
    assert of_token(site, ann.token)[0] == 401, "it takes the place of the one before"
    send(telephone, "token", token=ann.token)
    assert refusal(telephone)
    send(telephone, "token", token=token)
    belongs_to(telephone, ann.id)
    return token


def end_device(page: Page, telephone: Page) -> None:
    """Sign the telephone out on another page."""
    page.reload()
    device = page.locator("#tokens li", has_text="Firefox, Linux")
    device.locator("[data-do=end]").click()
    device.wait_for(state="detached")
    telephone.reload()
    belongs_to(telephone, "")


def sign_in_by_link(page: Page, telephone: Page, ann: Visitor) -> None:
    """A code of a page signs the telephone in."""
    press(page, "link")
    [code] = read_secret_once(page)
    send(telephone, "code", code=code)
    belongs_to(telephone, ann.id)


def recover(site: Service, page: Page, telephone: Page, ann: Visitor) -> None:
    """A recovery code signs the telephone in, and all other devices out."""
    press(page, "codes")
    expect(page.locator("dialog[open]")).to_contain_text(ann.name)  # one needs it, too
    code, *others = read_secret_once(page)
    assert others
    send(telephone, "recover", name=ann.name, code=code)
    sure = telephone.locator("dialog[open]")
    expect(sure).to_contain_text("all your other devices are signed out")
    [renewed] = read_secret_once(telephone)
    belongs_to(telephone, ann.id)
    assert of_token(site, renewed)[1]["id"] == ann.id


def sessions(site: Service, token: str) -> int:
    """The number of browsers with a session of the player with this token."""
    found = site.call("GET", "/v1/me/tokens", Authorization=f"Bearer {token}")[1]["tokens"]
    return sum(one["session"] for one in found)


def test_a_token_for_a_program_is_created_named_and_revoked_and_an_account_deleted(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    """By typing its name."""
    page = settings(site, visit, ann)
    form = page.locator("[data-form=program]")
    form.locator("[name=name]").fill("My bot")
    form.locator("[name=scopes]").select_option("read play")
    form.locator("[name=days]").select_option("30")
    form.locator("button").click()
    expect(page.locator("dialog[open]")).to_contain_text("My bot")
    [token] = read_secret_once(page)
    assert of_token(site, token)[1]["scopes"] == ["read", "play"]
    row = page.locator("#tokens li", has_text="My bot")
    expect(row).to_contain_text("read and play")
    expect(row).to_contain_text("expires in 30 days")
    row.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert of_token(site, token)[0] == 401
    press(page, "delete")
    page.locator("dialog[open] input").fill("Somebody else")
    page.locator("dialog[open] button.grave").click()
    expect(page.locator("dialog[open] input:invalid")).to_be_focused()
    assert of_token(site, ann.token)[0] == 200
    page.locator("dialog[open] input").fill(ann.name)
    answer(page, yes=True)
    belongs_to(page, "")
    assert of_token(site, ann.token)[0] == 401
    assert site.call("POST", "/v1/players", {"name": ann.name})[0] == 201, "the name is free"


def test_a_browser_remembers_theme_and_language(site: Service, visit: Visit) -> None:
    page = settings(site, visit, color_scheme="light")
    light = page.evaluate(GROUND)
    page.locator("[data-pref=theme]").select_option("dark")
    page.locator("html[data-theme=dark]").wait_for()
    assert page.evaluate(GROUND) != light
    page.locator("[data-choose]").select_option("zh-Hant")
    page.locator("html[lang=zh-Hant]").wait_for()
    page.goto(f"{site.url}/turns?language=en")
    page.locator("html[lang=en]").wait_for()
    page.locator("a[data-language-choice=zh-Hans]").click()
    page.locator("html[lang=zh-Hans]").wait_for()
    page.goto(f"{site.url}/settings")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.locator("[data-choose]").input_value() == "zh-Hans"
    assert page.locator("[data-pref=theme]").input_value() == "dark"
    assert page.evaluate(GROUND) != light
