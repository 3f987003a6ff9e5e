"""Pictures over HTTP: their size, how long caches may keep them, and how often the service draws
them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.match.decisions import ending
from service.drawing.pictures.painter import Painter
from service.matches.container import Annals
from tests.service.api.conftest import BOTH, Api, moves, open_table, play_on, register, system
from tests.support.apps import app_over

CACHED_FOR_A_WEEK = "max-age=604800, immutable"
FORMS = ("svg", "png", "txt")


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    painter = Painter()
    yield painter
    painter.stop()


def settle(annals: Annals, path: str, *players: Api) -> None:
    """Play to the end, and score: the seed was given, so the match is not rated."""
    play_on(path, *players)
    system(annals, path, lambda match, now: ending.score(match))


def keeping(caller: Api, address: str) -> str:
    return caller.get(address).headers["Cache-Control"]


def head(app: Flask, address: str, **headers: str) -> TestResponse:
    return app.test_client().head(address, headers=headers)


def png_size(image: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", image[16:24])
    return width, height


def svg_size(text: str) -> tuple[int, int]:
    found = re.match(r'<svg [^>]*? width="(\d+)" height="(\d+)"', text)
    assert found
    return int(found[1]), int(found[2])


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game == "great_wall" else pytest.mark.long) for game in BOTH],
)
def test_a_png_has_the_size_of_the_svg_or_the_requested_width(
    ann: Api, bob: Api, nobody: Api, game: str
) -> None:
    path = open_table(ann, bob, game=game)
    drawn = svg_size(nobody.get(f"{path}/board.svg").text)
    assert png_size(nobody.get(f"{path}/board.png").data) == drawn
    for width in (200, 550):
        size = svg_size(nobody.get(f"{path}/board.svg?width={width}").text)
        assert size == (width, round(width * drawn[1] / drawn[0]))
        image = png_size(nobody.get(f"{path}/board.png?width={width}").data)
        assert image[0] == width
        assert abs(image[1] - size[1]) <= 1


def test_the_picture_of_a_result_has_the_size_that_links_show(
    ann: Api, bob: Api, nobody: Api, annals: Annals
) -> None:
    path = open_table(ann, bob, game="toy")
    settle(annals, path, ann, bob)
    assert svg_size(nobody.get(f"{path}/result.svg").text) == (1200, 630)
    assert png_size(nobody.get(f"{path}/result.png").data) == (1200, 630)


def test_twice_the_width_shows_the_same(toy: str, nobody: Api) -> None:
    one, two = (nobody.get(f"{toy}/board.svg?width={width}").text for width in (400, 800))
    assert one.partition(" role=")[2] == two.partition(" role=")[2]
    assert 'viewBox="0 0' in two


@pytest.mark.parametrize("width", ["199", "2401", "-5", "1e3", "", "9" * 30])
def test_a_width_that_cannot_be_is_refused_with_what_can(toy: str, nobody: Api, width: str) -> None:
    for form in ("svg", "png"):
        answer = nobody.get(f"{toy}/board.{form}?width={width}")
        assert (answer.status_code, answer.json["code"]) == (400, "invalid")
        if width.strip("-").isdigit() and len(width) < 18:
            assert "200" in answer.json["errors"][0]["detail"]
            assert "2400" in answer.json["errors"][0]["detail"]
    assert nobody.get(f"{toy}/board.txt?width=400").status_code == 400


@pytest.mark.parametrize("form", FORMS)
def test_only_immutable_pictures_are_cached(toy: str, ann: Api, nobody: Api, form: str) -> None:
    board = f"{toy}/board.{form}?names=false"
    for caller in (ann, nobody):
        assert keeping(caller, board) == "private, no-cache"
        assert keeping(caller, f"{board}&as=spectator") == "private, no-cache"
        assert keeping(caller, f"{board}&version=2&as=spectator") == f"public, {CACHED_FOR_A_WEEK}"
    assert keeping(nobody, f"{board}&version=2") == f"public, {CACHED_FOR_A_WEEK}"
    assert keeping(ann, f"{board}&version=2&as=0") == f"private, {CACHED_FOR_A_WEEK}"
    assert keeping(ann, f"{board}&version=2") == "private, no-cache"  # the seat may change
    assert nobody.get(board).headers["Vary"] == "Authorization, Cookie, Accept-Language"


@pytest.mark.parametrize("form", FORMS)
def test_pictures_of_bots_have_no_names_of_people(ann: Api, nobody: Api, form: str) -> None:
    seats = {"seats": [{"bot": "li_mu"}, {"bot": "li_mu"}], "game": "qin"}
    path = f"/v1/matches/{ann.post('/v1/matches', seats).json['id']}"
    assert keeping(nobody, f"{path}/board.{form}?version=1") == f"public, {CACHED_FOR_A_WEEK}"


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_without_names_calls_seats_by_number(toy: str, nobody: Api, form: str) -> None:
    board = f"{toy}/board.{form}"
    with_names, without = nobody.get(board), nobody.get(f"{board}?names=false")
    assert b"Ann" not in without.data
    assert with_names.headers["ETag"] != without.headers["ETag"]
    assert nobody.get(f"{board}?names=true").data == with_names.data
    assert nobody.get(f"{board}?names=no").json["code"] == "invalid"


def test_after_the_end_any_cache_may_keep_everything(
    toy: str, ann: Api, bob: Api, nobody: Api, annals: Annals
) -> None:
    play_on(toy, ann, bob)
    board = f"{toy}/board.svg?names=false"
    assert keeping(nobody, board) == "private, no-cache"  # the score comes later
    settle(annals, toy, ann, bob)
    for address in ("", "&version=4", "&as=1", "&version=4&as=1"):
        assert keeping(nobody, board + address) == f"public, {CACHED_FOR_A_WEEK}"
    assert keeping(ann, board) == f"private, {CACHED_FOR_A_WEEK}"


def test_only_the_viewer_caches_a_private_match(ann: Api, bob: Api, annals: Annals) -> None:
    path = open_table(ann, visibility="private", seats=[{"me": True}, {"me": True}])
    board = f"{path}/board.svg?names=false&version=1"
    assert keeping(ann, f"{board}&as=spectator") == f"private, {CACHED_FOR_A_WEEK}"
    settle(annals, path, ann)
    assert keeping(ann, f"{board}&as=1") == f"private, {CACHED_FOR_A_WEEK}"
    assert bob.get(f"{path}/board.svg").status_code == 404


def test_what_a_seat_saw_of_a_version_stays_as_it_was(
    toy: str, ann: Api, bob: Api, nobody: Api, annals: Annals
) -> None:
    """A cached copy stays correct, and shows nothing that other seats may not see."""
    asked = [f"{toy}/board.{form}?version=4&as=spectator" for form in FORMS]
    play_on(toy, ann, bob, until=5)
    before = [nobody.get(address).data for address in asked]
    settle(annals, toy, ann, bob)
    assert [nobody.get(address).data for address in asked] == before
    hand = nobody.get(f"{toy}/board.svg?version=4&as=0")
    assert hand.data != before[0]
    assert hand.headers["ETag"] != nobody.get(asked[0]).headers["ETag"]


def test_an_etag_contains_version_view_format_and_width(toy: str, ann: Api, nobody: Api) -> None:
    addresses = (
        "svg?version=2", "svg?version=1&as=spectator", "svg?version=2&width=300", "png?version=2",
        "txt?version=2",
    )  # fmt: skip
    ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
    answers = [nobody.get(f"{toy}/board.{address}") for address in addresses if "=1" not in address]
    tags = {answer.headers["ETag"] for answer in answers}
    tags.add(ann.get(f"{toy}/board.svg?version=2").headers["ETag"])
    assert len(tags) == 5


def test_the_tag_of_a_picture_names_the_version_of_a_command(toy: str, ann: Api) -> None:
    tag = ann.get(f"{toy}/board.svg").headers["ETag"]
    move = {"move": moves(ann, toy)[0]}
    assert ann.post(f"{toy}/moves", move, If_Match=tag).status_code == 201
    assert ann.post(f"{toy}/moves", move, If_Match=tag).status_code == 412


@pytest.fixture
def sparing(annals: Annals) -> Flask:
    """The app of a service that draws two pictures a minute."""
    return app_over(replace(annals, settings=replace(annals.settings, picture_rate=2)))


def test_only_what_has_to_be_drawn_counts(sparing: Flask) -> None:
    ann, bob, nobody = register(sparing, "Ann"), register(sparing, "Bob"), Api(sparing)
    toy = open_table(ann, bob)
    first, second, third = (f"{toy}/board.svg?width={width}" for width in (300, 400, 500))
    tags = [nobody.get(address).headers["ETag"] for address in (first, second)]
    for caller in (ann, nobody):
        refused = caller.get(third)  # players at one address share its quota of pictures
        assert (refused.status_code, refused.json["code"]) == (429, "too_many_requests")
        assert refused.json["violated-policies"] == ["pictures"]
        assert "2 new pictures per minute" in refused.json["detail"]
        assert int(refused.headers["Retry-After"]) <= 60
    assert nobody.get(first).status_code == 200
    assert nobody.get(second, If_None_Match=tags[1]).status_code == 304
    assert nobody.get(f"{toy}/board.txt").status_code == 200
    assert ann.get(toy).status_code == 200


@pytest.mark.parametrize("form", ["svg", "png"])
def test_asking_for_the_head_draws_nothing(sparing: Flask, form: str) -> None:
    toy = open_table(register(sparing, "Ann"), register(sparing, "Bob"))
    nobody = Api(sparing)
    for width in range(300, 310):
        answer = head(sparing, f"{toy}/board.{form}?version=2&width={width}")
        assert (answer.status_code, answer.data) == (200, b"")
        assert "Content-Length" not in answer.headers
    whole = nobody.get(f"{toy}/board.{form}?version=2&width=309")
    for name in ("ETag", "Cache-Control", "Vary", "Content-Type"):
        assert answer.headers[name] == whole.headers[name]
    same = head(sparing, f"{toy}/board.{form}", If_None_Match=whole.headers["ETag"])
    assert same.status_code == 200  # it has another width
    same = head(sparing, f"{toy}/board.{form}?width=309", If_None_Match=whole.headers["ETag"])
    assert (same.status_code, same.data) == (304, b"")


def test_a_picture_without_a_painter_is_requested_again_later(
    toy: str, nobody: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures: Any = nobody.app.extensions["annals"].picture_cache
    painter = pictures._idle.get()
    monkeypatch.setattr("service.drawing.pictures.cache.MAX_WAIT_S", 0.01)
    refused = nobody.get(f"{toy}/board.svg")
    assert (refused.status_code, refused.json["code"]) == (503, "painters_busy")
    assert refused.headers["Retry-After"] == "1"
    pictures._idle.put(painter)
    assert nobody.get(f"{toy}/board.svg").status_code == 200


@pytest.mark.parametrize("game", BOTH)
def test_a_table_that_waits_shows_an_empty_board(ann: Api, game: str) -> None:
    seats = [{"me": True}, *({"open": True} for _ in range(BOTH[game].seats[0] - 1))]
    match = ann.post("/v1/matches", {"game": game, "seats": seats}).json
    assert match["status"] == "open"
    for form in FORMS if game == "toy" else ("svg", "txt"):
        answer = ann.get(f"/v1/matches/{match['id']}/board.{form}")
        assert answer.status_code == 200
        assert answer.data


def test_players_and_bots_are_called_by_name(ann: Api) -> None:
    seats = [{"me": True}, {"bot": "li_mu"}, {"open": True}]
    path = f"/v1/matches/{ann.post('/v1/matches', {'game': 'qin', 'seats': seats}).json['id']}"
    picture = ann.get(f"{path}/board.svg").text
    assert all(name in picture for name in ("Ann, green", "Li Mu, purple", "Seat 3, black"))
    assert "Seat 1: Ann\nSeat 2: Li Mu\n" in ann.get(f"{path}/board.txt").text


def test_a_new_name_makes_a_new_picture(toy: str, ann: Api) -> None:
    before = ann.get(f"{toy}/board.svg")
    assert ann("POST", "/v1/me/name", {"name": "Anna"}).status_code == 200
    after = ann.get(f"{toy}/board.svg", If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    assert "Anna" in after.text


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_is_in_the_language_of_its_viewer(ann: Api, bob: Api, form: str) -> None:
    board = f"{open_table(ann, bob, game='qin')}/board.{form}"
    english, asked = ann.get(board), ann.get(f"{board}?language=zh-Hant")
    preferred = ann.get(board, **{"Accept-Language": "zh-TW"})
    assert asked.data == preferred.data != english.data
    assert len({one.headers["ETag"] for one in (english, asked, preferred)}) == 2
    assert preferred.headers["Content-Language"] == "zh-Hant"
    assert "Accept-Language" in preferred.headers["Vary"]
    assert ann.get(f"{board}?language=xx").status_code == 400
