"""Tables in a real browser: players open, find and share them, and wait for their turn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from domain.engine.codecs import json_codec
from domain.engine.options import has_effect
from domain.games import GAMES
from service.page.views.new_table import option_controls
from tests.games.seen import AnyGame
from tests.page.sample import some_of_all
from tests.page.visitors import Visitor, await_settled
from tests.page.visits import Visit, lead_nowhere
from tests.support.whole_service import Service

GAME, OTHER_GAME, *_ = GAMES
MARK_PAGE = "window.kept = true"
IS_MARKED = "window.kept"
"""Whether this is still the page in which the test set a variable, and not a newer one."""
TERMS = ("clock", "on_timeout", "undo", "visibility", "min_reliability")
JSON_TERMS = ("clock", "min_reliability")

MODE = "[data-option=mode]"
OTHERS = f"[data-option]:not({MODE}):visible"
SHOWN_OPTIONS = """() => [...document.querySelectorAll("[data-option], [data-list]")]
    .filter((one) => one.checkVisibility())
    .map(({ dataset }) => dataset.option ?? dataset.list).sort()"""
BY_SEAT = [
    (key, one["name"])
    for key, game in GAMES.items()
    for one in option_controls(game, "en")
    if one.get("by_seat")
]
WITH_MODES = [key for key, game in GAMES.items() if game.seats_by_mode]
FULL_FORMS = ("chang_cheng", "great_wall")
"""Games whose forms have each kind of control, lists and modes among them."""


@pytest.fixture
def ann(site: Service) -> Visitor:
    return Visitor(site, "Table Ann")


@pytest.fixture
def bob(site: Service) -> Visitor:
    return Visitor(site, "Table Bob")


def open_table(host: Visitor, *others: dict[str, Any], game: str = GAME, **terms: str) -> str:
    """The id of a table with a seat for its host, and these others."""
    body = {"game": game, "seats": [{"me": True}, *others], **terms}
    match: str = host.call("POST", "/v1/matches", body)["id"]
    return match


def test_a_guest_with_the_link_takes_a_seat_and_the_host_starts(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    """At a private table, whose link is an invitation."""
    match = open_table(ann, {"open": True}, {"open": True}, visibility="private")
    address = f"{site.url}/matches/{match}"
    host = visit(address, storage_state=ann.state)
    link = host.locator("#table [data-link]").input_value()
    assert link.startswith(f"{address}?invite=")
    guest = visit(link)
    host.evaluate(MARK_PAGE)
    guest.locator("[data-do=join]").first.click()
    guest.locator("html:not([data-me='']) [data-do=leave]").wait_for()
    who = guest.locator("html").get_attribute("data-me")
    host.locator(f"#table [href$='players/{who}']").wait_for()
    assert host.evaluate(IS_MARKED), "nobody had to load it again"
    guest.locator("[data-do=leave]").click()
    host.locator(f"#table [href$='players/{who}']").wait_for(state="detached")
    guest.locator("[data-do=join]").last.click()
    host.locator(f"#table [href$='players/{who}']").wait_for()
    expect(host.locator("#table [data-link]")).to_have_value(link)  # after the list was refreshed
    host.locator("[data-do=start]").click()
    for page in (host, guest):
        await_settled(page)
    seats = ann.call("GET", f"/v1/matches/{match}")["seats"]
    assert [seats[0]["player"], seats[2]["player"]] == [ann.id, who]
    assert seats[1]["bot"]


def test_the_link_is_copied_without_a_secure_origin_until_the_host_closes_the_table(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    match = open_table(ann, {"open": True})
    host = visit(f"{site.url}/matches/{match}", storage_state=ann.state)
    page = visit(f"{site.url.replace('127.0.0.1', 'house.test')}/matches/{match}")
    assert not page.evaluate("isSecureContext")
    page.evaluate("addEventListener('copy', () => { window.copied = `${getSelection()}` })")
    page.locator("[data-do=copy]").click()
    expect(page.locator("#toasts .toast")).to_have_text("Link copied.")
    assert page.evaluate("copied") == page.url
    expect(page.locator("#table [data-link]")).to_have_value(page.url)
    host.locator("[data-do=shut]").click()
    host.locator("dialog button.grave").click()
    for one in (host, page):
        one.locator("#table[data-open='']").wait_for()
        assert one.locator("[data-do]").count() == 0


def test_a_reserved_seat_waits_only_for_its_player(
    site: Service, visit: Visit, ann: Visitor, bob: Visitor
) -> None:
    host = visit(f"{site.url}/new/{GAME}", storage_state=ann.state)
    seat = host.locator("[data-seat='1']")
    expect(seat.locator("span").first).to_have_text("Seat 2")  # people count from 1
    assert not seat.locator("[name=invite]").is_visible()
    seat.locator("[name=who]").select_option("invite")
    seat.locator("[name=invite]").fill(bob.name)
    host.locator("button.main").click()
    host.locator("#table").wait_for()
    stranger, invited = visit(host.url), visit(host.url, storage_state=bob.state)
    assert stranger.locator("[data-do=join]").count() == 0
    expect(stranger.locator("#table")).to_contain_text("for the invited players only")
    expect(host.locator(f"#table [href$='players/{bob.id}']")).to_have_text(bob.name)
    badge, match = invited.locator("#badge"), host.url.rpartition("/")[2]
    for list_of_mine in ("/turns", "/?own=1"):
        invited.goto(f"{site.url}{list_of_mine}")
        expect(badge).to_have_text("1")
        expect(invited.locator(".rows li").first).to_have_id(f"m-{match}")
    invited.goto(host.url)
    invited.locator("[data-do=join]").click()
    for page in (host, invited):
        await_settled(page)
    expect(badge).to_have_text("" if waits_for_others(bob, match) else "1")


def waits_for_others(player: Visitor, match: str) -> bool:
    awaiting = player.call("GET", f"/v1/matches/{match}")["awaiting"]
    return player.id not in [one["player"] for one in awaiting]


def test_the_lobby_shows_tables_as_they_come_and_go(
    site: Service, visit: Visit, ann: Visitor, bob: Visitor
) -> None:
    page = visit(site.url)
    page.evaluate(MARK_PAGE)
    first = open_table(ann, {"open": True})
    row(page, first).wait_for()
    assert ann.name in row(page, first).inner_text()
    bob.call("POST", f"/v1/matches/{first}/seats", {"seat": 1})
    row(page, first).wait_for(state="detached")
    assert page.evaluate(IS_MARKED)

    other = open_table(ann, {"open": True}, game=OTHER_GAME)
    row(page, other).wait_for()
    page.locator("[data-filter] [name=game]").select_option(GAME)
    page.wait_for_url(f"**/?*game={GAME}*")
    row(page, other).wait_for(state="detached")
    later = open_table(ann, {"open": True}, game=OTHER_GAME)
    second = open_table(ann, {"open": True})
    row(page, second).wait_for()
    assert row(page, later).count() == 0
    assert page.locator("[data-filter] [name=game]").input_value() == GAME


def row(page: Page, match: str) -> Locator:
    """The row of a table in a list."""
    return page.locator(f"#m-{match}")


@pytest.mark.parametrize("game", some_of_all(*FULL_FORMS))
def test_a_table_is_opened_with_everything_chosen(site: Service, visit: Visit, game: str) -> None:
    page = visit(f"{site.url}/new/{game}")
    seats = str(GAMES[game].seats[-1])
    page.locator("#new [name=seats]").select_option(seats)
    for one in page.locator("[data-seat] [name=who]").all():
        one.select_option("me")
    terms = {name: choose_last(page.locator(f"#new [name={name}]")) for name in TERMS}
    mode = {key(one, "option"): choose_last(one) for one in page.locator(MODE).all()}
    chosen = {
        **mode,
        **{key(one, "option"): choose(one) for one in page.locator(OTHERS).all()},
        **{key(one, "list"): choose_all(one) for one in page.locator("[data-list]:visible").all()},
    }
    assert sorted(chosen) == of_mode(GAMES[game], chosen.get("mode"))
    match = open_and_look(page) if game == FULL_FORMS[0] else open_and_leave(page)
    fit = GAMES[game].seats_for(json_codec.read_options(GAMES[game], chosen))
    assert len(match["seats"]) == (int(seats) if int(seats) in fit else fit[0])
    assert match["options"] == json_codec.to_json(GAMES[game].options()) | chosen
    terms |= {name: json.loads(terms[name]) for name in JSON_TERMS}
    assert terms == {name: match[name] for name in TERMS}


@pytest.mark.parametrize(
    ("game", "name"),
    [pytest.param(*one, marks=[pytest.mark.long] * (at > 0)) for at, one in enumerate(BY_SEAT)],
)
def test_what_is_chosen_for_one_seat_is_of_that_seat(
    site: Service, visit: Visit, game: str, name: str
) -> None:
    """The others get the first values that are free; seats that nobody has get none."""
    page = visit(f"{site.url}/new/{game}")
    page.locator("#new [name=seats]").select_option("3")
    for who in page.locator("[data-seat]:visible [name=who]").all():
        who.select_option("me")
    several = page.locator(f"[data-list={name}]")
    several.locator("summary").click()
    places = several.locator("select:visible")
    expect(places).to_have_count(3)
    _, first, second, *_ = values(places.first)
    places.nth(1).select_option(first)
    match = open_and_leave(page)
    assert match["options"][name][:2] == [second, first]
    assert len(set(match["options"][name])) == 3


@pytest.mark.parametrize("game", WITH_MODES)
def test_the_form_shows_the_seats_and_options_of_each_mode_and_opens_a_table_with_them(
    site: Service, visit: Visit, game: str
) -> None:
    page = visit(f"{site.url}/new/{game}")
    modes = GAMES[game].seats_by_mode
    for mode in modes:  # a choice for one does not get in the way of another
        page.locator(MODE).select_option(mode)
        for one in page.locator(OTHERS).all():
            choose(one)
    for mode, offered in modes.items():
        page.locator(MODE).select_option(mode)
        assert page.evaluate(SHOWN_OPTIONS) == of_mode(GAMES[game], mode)
        goals = page.locator("#new > p[data-only]:visible").all_inner_texts()
        assert goals == [GAMES[game].goal_in(mode=mode)]
        assert page.locator("[data-seat]:visible").count() in offered
        page.locator("#new [name=seats]").select_option(str(offered[-1]))
        assert page.locator("[data-seat]:visible").count() == offered[-1]
    match = open_and_leave(page)
    assert match["options"]["mode"] == mode
    assert len(match["seats"]) == offered[-1]


@pytest.mark.parametrize("game", WITH_MODES)
def test_any_number_of_players_leads_to_a_mode_for_it(
    site: Service, visit: Visit, game: str
) -> None:
    page = visit(f"{site.url}/new/{game}")
    counts, said = page.locator("#new [name=seats]"), page.locator("#fit[role=status]")
    mode = page.locator(MODE)
    fits = GAMES[game].seats_by_mode
    for each, seats in fits.items():
        mode.select_option(each)
        for count in sorted({count for other in fits.values() for count in other}):
            before, was_possible = mode.input_value(), count in fits[mode.input_value()]
            counts.select_option(str(count))
            assert count in fits[mode.input_value()]
            assert (mode.input_value() == before) == was_possible
            assert bool(said.inner_text()) != was_possible
        mode.select_option(each)
        assert int(counts.input_value()) in seats
    assert page.locator("#new :disabled:visible").count() == 0


def open_and_leave(page: Page) -> Any:
    """Open the chosen table and return it, without its page."""
    lead_nowhere(page)
    return press_open(page)


def open_and_look(page: Page) -> Any:
    """Open the chosen table and return it, once its page shows it."""
    match = press_open(page)
    await_settled(page)
    return match


def press_open(page: Page) -> Any:
    """Open the chosen table and return it."""
    page.locator("#new button.main").click()
    page.wait_for_url("**/matches/*")
    return page.request.get(page.url.replace("/matches/", "/v1/matches/")).json()


def test_without_any_script_all_options_stay(site: Service, visit: Visit) -> None:
    page = visit(f"{site.url}/settings", java_script_enabled=False)
    for name, game in GAMES.items():
        page.goto(f"{site.url}/new/{name}")
        shown = page.locator("[data-option]:visible, [data-list]:visible").count()
        assert shown == len(game.options.__struct_fields__), name


def of_mode(game: AnyGame, mode: str | None) -> list[str]:
    """The names of the options of a mode."""
    return sorted(
        name for name in game.options.__struct_fields__ if has_effect(game.options, name, mode)
    )


def key(one: Locator, kind: str) -> str:
    found = one.get_attribute(f"data-{kind}")
    assert found
    return found


def choose(one: Locator) -> Any:
    """Choose another value than before; returns the expected options of the table."""
    match one.get_attribute("type"):
        case "checkbox":
            one.click()
            return one.is_checked()
        case "number":
            one.press("ArrowUp")
            return int(one.input_value())
        case _:
            return choose_last(one)


def choose_last(one: Locator) -> str:
    """Choose the last option: never the default."""
    before = one.input_value()
    one.select_option(values(one)[-1])
    assert one.input_value() != before
    return one.input_value()


def choose_all(several: Locator) -> list[str]:
    """Choose a value in each control, a new one each time as long as there is one."""
    several.locator("summary").click()
    places = several.locator("select").all()
    for place, one in enumerate(places):
        known = values(one)[1:]
        one.select_option(known[-1 - place % len(known)])
    return [one.input_value() for one in places]


def values(one: Locator) -> list[str]:
    """All options."""
    found: list[str] = one.evaluate("(menu) => Array.from(menu.options, (option) => option.value)")
    return found
