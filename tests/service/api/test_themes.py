"""Every picture of a board comes in each theme, at the same price as any other picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.engine.drawing.themes import COLOUR, THEMES, Theme, colour_in
from domain.games.qin.night import PALETTES
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, open_table
from tests.service.api.contract import contract, resolve
from tests.service.api.test_pictures import settle

CHARTS = {
    "analysis.svg",
    "points.svg",
    "ratings.svg",
    "{game}.svg",
    "{player}.svg",
    "{other}.svg",
}
"""The last part of the address of a picture that shows no board."""
PICTURES = ("{game}/cover.svg", "{game}/examples/{example}.svg")


def picture_routes() -> Iterator[tuple[str, set[str]]]:
    """The address of each picture, with the names of its parameters."""
    for path, methods in contract()["paths"].items():
        if path.endswith((".svg", ".png")) and path.rpartition("/")[2] not in CHARTS:
            for method in methods.values():
                yield path, {resolve(one)["name"] for one in method["parameters"]}


def test_every_picture_of_a_board_has_a_theme() -> None:
    routes = dict(picture_routes())
    assert len(routes) >= 9
    assert {path for path, parameters in routes.items() if "theme" not in parameters} == set()
    known = contract()["components"]["parameters"]["Theme"]["schema"]
    assert (tuple(known["enum"]), known["default"]) == (THEMES, THEMES[0])


def pictures_of(api: Api, path: str, game: str, example: str) -> Iterator[tuple[str, Any]]:
    """The address of each kind of picture that a match and its game have."""
    yield f"{path}/board.svg?", None
    yield f"{path}/board.png?", None
    yield f"/v1/games/{game}/cover.svg?", None
    yield f"/v1/games/{game}/cover.png?", None
    if example:
        yield f"/v1/games/{game}/examples/{example}.svg?", None


def colours(picture: str) -> set[tuple[str, str]]:
    return set(COLOUR.findall(picture))


def fetch(api: Api, address: str, body: Any) -> Any:
    answer = api.post(address, body) if body else api.get(address)
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize("theme", THEMES)
def test_each_route_draws_in_the_theme(
    ann: Api, bob: Api, nobody: Api, annals: Annals, theme: Theme
) -> None:
    path = open_table(ann, bob, game="qin")
    example = next(iter(nobody.get("/v1/games/qin").json["examples"]))["key"]
    asked: list[tuple[Api, str, Any]] = [
        *((nobody, *one) for one in pictures_of(nobody, path, "qin", example)),
    ]
    mover, move = next((one, moves(one, path)[0]) for one in (ann, bob) if moves(one, path))
    asked.append((mover, f"{path}/preview.svg?", {"move": move}))
    _compare(asked, theme)


def test_results_are_drawn_in_a_theme(ann: Api, bob: Api, nobody: Api, annals: Annals) -> None:
    path = open_table(ann, bob, game="toy")
    settle(annals, path, ann, bob)
    forms = ("svg", "png")
    _compare([(nobody, f"{path}/result.{form}?", None) for form in forms], "dark")


def _compare(asked: list[tuple[Api, str, Any]], theme: Theme) -> None:
    """Compare the pictures in a theme with those in the standard one."""
    for api, address, body in asked:
        plain = fetch(api, address, body)
        themed = fetch(api, f"{address}theme={theme}", body)
        assert (themed.data == plain.data) == (theme == "standard"), address
        assert (themed.headers.get("ETag") == plain.headers.get("ETag")) == (
            theme == "standard" or "ETag" not in plain.headers
        )
        if ".svg" in address:
            assert COLOUR.sub("", themed.text) == COLOUR.sub("", plain.text)
            there = {name: colour_in(theme, name, PALETTES) for _, name in colours(plain.text)}
            assert {one for _, one in colours(themed.text)} == set(there.values())


@pytest.mark.parametrize("theme", ["", "night", "Dark", "light", "auto"])
def test_an_unknown_theme_is_refused_with_the_known_ones(toy: str, nobody: Api, theme: str) -> None:
    for address in (f"{toy}/board.svg", f"{toy}/board.png", "/v1/games/qin/cover.svg"):
        answer = nobody.get(f"{address}?theme={theme}")
        assert (answer.status_code, answer.json["code"]) == (400, "invalid")
        assert all(one in answer.json["errors"][0]["detail"] for one in THEMES)
    assert nobody.get(f"{toy}/board.txt?theme=dark").status_code == 400
