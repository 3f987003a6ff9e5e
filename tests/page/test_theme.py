"""Boards have the theme of the page, and a change of theme loads and moves nothing."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.engine.drawing.layout import compose
from domain.engine.drawing.themes import COLOUR, Theme, colour_in, luminance
from domain.games import GAMES
from service.page.views.themes import find_colours, make_sheet
from tests.games.modes import ALL
from tests.games.record import record
from tests.games.seen import AnyGame
from tests.page.light import LIGHT_SHARE
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.page.visits import Visit, paint
from tests.support.whole_service import Service

GROUNDS = {"qin": "#efe6cf", "hansa_teutonica": "#f9f3e0"}
"""Of two games, a colour of what is drawn first on their boards; `make test` opens one of them."""
PAPER = "#fbf7ec"
GROUNDS_OF_PANELS = """() => ["#board", "#own", "#beside"].map((one) =>
  getComputedStyle(document.querySelector(one)).backgroundColor)"""
FILL = "(colour) => getComputedStyle(document.querySelector(`.view [fill='${colour}']`)).fill"
CHOOSE = """(theme) => {
  localStorage.setItem("annals.theme", theme);
  dispatchEvent(new StorageEvent("storage", { key: "annals.theme" }));
}"""
"""What a page gets if another one of the device changes the setting."""
NARROW = {"width": 390, "height": 844}


def rgb(colour: str) -> str:
    """A colour as browsers write it."""
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_the_style_sheet_of_a_game_knows_all_its_colours(game: AnyGame) -> None:
    """In pictures of random matches with the most seats."""
    known, count = {*find_colours(game)}, game.seats[-1]
    sheet, _ = make_sheet(game)
    assert f"--c{PAPER[1:]}:light-dark({PAPER},{colour_in('dark', PAPER)})" in sheet
    for moment in record(game, count, 0).some(8):
        view = game.view(moment.state, moment.move.seat)
        drawn = compose(game.draw(view, game.words()))
        used = {colour for _, colour in COLOUR.findall(drawn)}
        assert used <= known
        assert all(f'[fill="{colour}"]' in sheet for colour in used)


def open_match(site: Service, visit: Visit, game: str, **options: Any) -> Page:
    """The page of a match that waits for its only player."""
    ann, bot = Visitor(site, "Themed Ann"), GAMES[game].levels[0].key
    match = begin_match([ann], game=game, seats=[{"me": True}, {"bot": bot}])
    page = visit(f"{site.url}/matches/{match}", storage_state=ann.state, **options)
    await_settled(page)
    page.wait_for_selector(".can-touch", state="attached")
    return page


def expect_theme(page: Page, game: str, theme: Theme, ground: str) -> None:
    """Expect a ground of the board in a theme."""
    drawn = colour_in(theme, ground)
    page.wait_for_function(f"(colour) => ({FILL})('{ground}') === colour", arg=rgb(drawn))


@pytest.mark.parametrize("game", ["hansa_teutonica", pytest.param("qin", marks=pytest.mark.long)])
def test_boards_follow_the_page_the_device_and_paper(
    site: Service, visit: Visit, game: str
) -> None:
    page, ground = open_match(site, visit, game, color_scheme="light"), GROUNDS[game]
    expect_theme(page, game, "standard", ground)
    page.emulate_media(color_scheme="dark")
    expect_theme(page, game, "dark", ground)
    assert {*page.evaluate(GROUNDS_OF_PANELS)} == {rgb(colour_in("dark", PAPER))}
    page.emulate_media(color_scheme="light", contrast="more")
    expect_theme(page, game, "contrast", ground)
    page.emulate_media(color_scheme="dark", contrast="no-preference", media="print")
    expect_theme(page, game, "print", ground)


def test_a_change_of_theme_in_another_page_keeps_focus_and_place(
    site: Service, visit: Visit
) -> None:
    page = open_match(site, visit, "qin", color_scheme="light", viewport=NARROW)
    requests: list[str] = []
    page.evaluate("scrollTo(0, 200)")
    thing = page.locator(".can-touch").first
    thing.evaluate("(one) => one.focus({ preventScroll: true })")
    name, place = thing.get_attribute("data-at"), page.evaluate("scrollY")
    page.on("request", lambda request: requests.append(request.url))
    for theme, shown in (("dark", "dark"), ("contrast", "contrast"), ("light", "standard")):
        page.evaluate(CHOOSE, theme)
        expect_theme(page, "qin", shown, GROUNDS["qin"])  # type: ignore[arg-type]
        expect(thing).to_be_focused()
        assert thing.get_attribute("data-at") == name
        assert page.evaluate("scrollY") == place
    assert [one for one in requests if "/page/" in one or ".svg" in one] == []


@pytest.mark.parametrize("address", ["/", "/rules/qin"])
def test_images_of_boards_have_the_theme_of_the_page(
    site: Service, visit: Visit, counter: Page, address: str
) -> None:
    """Also if the reader has chosen it, on a device in light colours."""
    page = visit(site.url + address, color_scheme="light")
    paint(page)
    image = page.locator(".picture img, .chart img").first
    image.scroll_into_view_if_needed()
    image.evaluate("(one) => one.decode()")

    def light() -> float:
        shot = base64.b64encode(image.screenshot()).decode()
        share: float = counter.evaluate(LIGHT_SHARE, shot)
        return share

    by_day = light()
    page.evaluate(CHOOSE, "dark")
    page.locator("html[data-theme=dark]").wait_for()
    assert light() < by_day / 3
    for theme in ("contrast", "light"):  # a browser passes only light and dark on to an image
        page.evaluate(CHOOSE, theme)
        is_sharp = "@media all{" in image.evaluate(
            "(one) => fetch(one.src).then((it) => it.text())"
        )
        assert is_sharp == (theme == "contrast")


def test_dark_paper_is_dark() -> None:
    assert luminance(colour_in("dark", PAPER)) < 0.03
