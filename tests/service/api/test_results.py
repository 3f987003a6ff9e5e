"""The result of a match: who won and why, points over time, luck, and the picture for links."""

from __future__ import annotations

import re
from html import escape, unescape
from itertools import pairwise

import pytest
from flask import Flask

from domain.engine.drawing.themes import contrast
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.channels.chat.summary import summarize
from service.matches.container import Annals
from tests.games.modes import Seating, seatings
from tests.service.api.conftest import Api, open_table
from tests.service.api.seated import Table, table
from tests.service.api.test_analysis import Work, work  # noqa: F401 - a fixture
from tests.service.api.test_sessions import Browser

LARGEST = list({(one.game.key, str(one.options)): one for one in seatings(GAMES.values())}.values())
"""Each game in each of its modes, with the most seats."""
WHAT = ("points", "points.svg", "result.svg", "result.png")
BROWSER = {"Accept": "text/html"}
IMAGE = re.compile(r'property="og:image" content="([^"]+)"')
POINT = {"en": "point", "zh-Hans": "\u5206", "zh-Hant": "\u5206"}
LUCK = re.compile("<td>([+\u2212][1-9][0-9]*|0)%</td>")


def check_winner_rows(picture: str, *, has_winner: bool) -> None:
    """The row of each winner has an edge that stands out from the paper in high contrast."""
    paper = re.findall('<rect [^>]*width="1200"[^>]* fill="([^"]+)"', picture)[-1]
    edges = re.findall('<rect [^>]*height="42" rx="8"[^>]* stroke="([^"]+)"', picture)
    assert bool(edges) == has_winner
    assert all(contrast(edge, paper) >= 3 for edge in edges)


def over(app: Flask, annals: Annals, one: Seating) -> Table:
    """A match that ended by resignation after some moves."""
    at = table(app, one.game.key, one.seats, options=one.options)
    at.play(8)
    at.end(annals)
    return at


@pytest.mark.parametrize("one", LARGEST, ids=str)
def test_no_seat_is_to_move_after_the_end(
    one: Seating, app: Flask, annals: Annals, nobody: Api
) -> None:
    """Not even in a game that has no result, since all have resigned."""
    at = over(app, annals, one)
    words = one.game.words()
    for seat in range(one.seats):
        found = nobody.get(f"{at.path}?as={seat}").json
        assert found["awaiting"] == []
        assert not found["view"].get("awaiting")
        drawn = nobody.get(f"{at.path}/board.svg?as={seat}").text
        notes = {words("note_to_decide"), words("note_active")}
        shown = re.findall("<text[^>]*>([^<]*)", drawn)
        assert not [said for said in shown if notes.intersection(re.split("[(), ]*[(),] *", said))]
        assert words("note_to_decide") not in nobody.get(f"{at.path}/board.txt?as={seat}").text


def page(app: Flask, path: str, language: str = "en", cookie: str = "") -> str:
    """The page of a match, in a browser with this cookie."""
    headers = {**BROWSER, "Cookie": cookie}
    address = f"{path.removeprefix('/v1')}?language={language}"
    return app.test_client(use_cookies=False).get(address, headers=headers).text


@pytest.mark.parametrize("one", LARGEST, ids=str)
def test_all_say_the_same_about_the_end(
    one: Seating, app: Flask, annals: Annals, nobody: Api
) -> None:
    """The API, the page, the picture and a chat, in each language that they have; of pagodas or
    honor, where these decide, and not of points.
    """
    at = over(app, annals, one)
    match = annals.matches.latest(at.path.rpartition("/")[2])
    for language in LANGUAGES:
        words = f"language={language}"
        found = nobody.get(f"{at.path}?board=false&sentences=true&{words}").json["outcome"]
        said = found["text"]
        shown = page(app, at.path, language)
        assert f'<p id="prompt" role="status">{escape(said)}</p>' in shown
        assert f'<meta property="og:description" content="{escape(said)}">' in shown
        picture = nobody.get(f"{at.path}/result.svg?{words}").text
        assert f"<desc>{escape(said)}</desc>" in picture
        unnamed = match.game.words(language)
        seats = [unnamed.person(seat) for seat in range(one.seats)]
        assert all(f">{escape(seat)}</text>" in picture for seat in seats)
        sharp = nobody.get(f"{at.path}/result.svg?{words}&theme=contrast").text
        check_winner_rows(sharp, has_winner=one.options.get("mode") != "coop")
        counted = unnamed(match.game.score_parts.heading)
        assert f">{counted}</th>" in shown
        assert counted == unnamed("heading_points") or POINT[language] not in said
    plain = nobody.get(f"{at.path}?board=false").json["outcome"]
    assert found.keys() - plain.keys() == {"text"}
    english = nobody.get(f"{at.path}?board=false&sentences=true&language=en").json["outcome"]
    assert english["text"] in summarize(annals, match, None, {}, match.version, ()).state


@pytest.mark.parametrize("one", LARGEST, ids=str)
def test_points_over_time_end_with_the_result(
    one: Seating, app: Flask, annals: Annals, nobody: Api
) -> None:
    """As JSON, as a chart, and as a table on the page; only versions that changed them."""
    at = over(app, annals, one)
    result = nobody.get(at.path).json["result"]
    answer = nobody.get(f"{at.path}/points")
    found = answer.json
    columns = [*found["seats"], *(rival["points"] for rival in found["rivals"])]
    rows = list(zip(*columns, strict=True))
    assert len(rows) == len(found["versions"])
    assert found["versions"] == sorted(set(found["versions"]))
    assert all(row != after for row, after in pairwise(rows[:-1]))
    points = [line["points"] for line in (*result["lines"], *result.get("rivals", ()))]
    assert list(rows[-1]) == points
    assert nobody.get(f"{at.path}/points", If_None_Match=answer.headers["ETag"]).status_code == 304
    chart = nobody.get(f"{at.path}/points.svg").text
    last = [f"Player {seat} {number:,}" for seat, number in enumerate(points[: one.seats])]
    assert all(label in unescape(chart) for label in last)
    cells = "".join(f"<td>{number}</td>" for number in points)
    assert f'<th scope="row">{found["versions"][-1]}</th>{cells}' in page(app, at.path)


def test_there_is_no_result_before_the_score(app: Flask, annals: Annals, nobody: Api) -> None:
    at = table(app, "qin", 2)
    at.play(2)
    for what in WHAT:
        refused = nobody.get(f"{at.path}/{what}")
        assert (refused.status_code, refused.json["code"]) == (409, "not_scored")
    assert nobody.get(at.path).json["outcome"] is None
    assert "/cover." in IMAGE.findall(page(app, at.path))[0]
    at.end(annals)
    assert [nobody.get(f"{at.path}/{what}").status_code for what in WHAT] == [200] * len(WHAT)


def test_links_show_a_picture_that_anyone_may_see(
    app: Flask, annals: Annals, nobody: Api, ann: Api
) -> None:
    """No page of a private match offers that of its result."""
    at = table(app, "qin", 2)
    at.end(annals)
    found = IMAGE.search(page(app, at.path))
    assert found
    address = unescape(found[1])
    assert address.startswith(annals.base_url)
    assert nobody.get(address.removeprefix(annals.base_url)).mimetype == "image/png"
    seats = [{"me": True}, {"bot": "li_mu"}]
    path = open_table(ann, game="qin", seats=seats, visibility="private")
    private = Table("qin", [ann], path)
    private.end(annals)
    browser = Browser(app)
    browser.sign_in(token=ann.token or "")
    shown = page(app, path, cookie=browser.cookie or "")
    assert "data-result" in shown
    assert "/cover." in IMAGE.findall(shown)[0]
    assert nobody.get(f"{path}/result.png").status_code == 404


def test_luck_stands_beside_the_points_once_it_is_known(
    app: Flask,
    annals: Annals,
    nobody: Api,
    work: Work,  # noqa: F811
) -> None:
    at = table(app, "tigris_euphrates", 2)
    at.play(6)
    at.end(annals)
    before = page(app, at.path)
    assert 'data-do="luck"' in before
    assert not LUCK.search(before)
    nobody.get(f"{at.path}/analysis")
    work()
    luck = [one["luck"] for one in nobody.get(f"{at.path}/analysis").json["seats"]]
    lines = nobody.get(at.path).json["result"]["lines"]
    by_rank = [luck[line["seat"]] for line in sorted(lines, key=lambda one: one["rank"])]
    after = page(app, at.path)
    shown = [int(text.replace("\u2212", "-")) for text in LUCK.findall(after)]
    assert shown == [round(100 * share) for share in by_rank]
    assert "How far chance" in after
    assert 'data-do="luck"' not in after
