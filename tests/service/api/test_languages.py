"""The service answers in the requested language, and mixes in no other."""

from __future__ import annotations

from html import escape

import pytest

from domain.engine.options import option_values
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.http.problem_codes import STATUS_OF, advice_of, title_of
from tests.service.api.conftest import Api, moves
from tests.service.api.contract import WRITTEN, resolve_in

GAME_PATH = "/v1/games/qin"


def takes(path: str, parameter: str) -> bool:
    """Whether an address has a parameter of this name."""
    parameters = WRITTEN["paths"][path].get("get", {}).get("parameters", [])
    return any(resolve_in(WRITTEN, one)["name"] == parameter for one in parameters)


def in_a_language() -> list[str]:
    """The addresses that take a language."""
    return [path for path in WRITTEN["paths"] if takes(path, "language")]


def address(path: str, match: str, ann: Api, bob: Api) -> str:
    """An existing address of this route."""
    example = GAMES["qin"].resources.examples[0].key
    here = path.format(
        game="qin",
        match_id=match.rpartition("/")[2],
        player=ann.id,
        other=bob.id,
        example=example,
        code="internal",
        room="players",
    )
    needed = {"ratings.svg": "game=qin&", "better.svg": "version=1&"}
    return f"{here}?{needed.get(path.rpartition('/')[2], '')}"


@pytest.mark.parametrize("path", in_a_language())
def test_a_language_that_there_is_not_is_refused_with_those_that_there_are(
    path: str, qin: str, ann: Api, bob: Api
) -> None:
    answer = ann.get(f"{address(path, qin, ann, bob)}language=fr")
    assert (answer.status_code, answer.json["code"]) == (400, "invalid")
    [error] = answer.json["errors"]
    assert error["parameter"] == "language"
    assert all(language in error["detail"] for language in LANGUAGES)


@pytest.mark.parametrize("path", [one for one in in_a_language() if not one.endswith("/stream")])
def test_an_answer_says_in_which_language_it_is(path: str, qin: str, ann: Api, bob: Api) -> None:
    sentences = "sentences=true&" if takes(path, "sentences") else ""
    touch = "touch=true&" if takes(path, "touch") else ""
    answer = ann.get(f"{address(path, qin, ann, bob)}{sentences}{touch}language=zh-Hant")
    assert answer.headers["Content-Language"] == "zh-Hant"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_described_in_each_language(nobody: Api, game: str, language: str) -> None:
    answer = nobody.get(f"/v1/games/{game}?language={language}")
    assert answer.headers["Content-Language"] == language
    known, received, texts = GAMES[game], answer.json, GAMES[game].resources.texts[language]
    assert (received["title"], received["goal"]) == (texts["title"], texts["goal"])
    assert received["goals"].keys() == known.seats_by_mode.keys()
    assert received["rules"] == known.resources.rulebooks[language].rules
    assert {name: set(one["values"]) for name, one in received["texts"]["options"].items()} == {
        name: set(values) for name, values in option_values(known.options).items()
    }
    assert {one["name"] for one in received["levels"]} <= set(texts.values())
    assert {one["label"] for one in received["levels"]} <= set(texts.values())
    assert set(received["texts"]["ends"]) == set(known.end_reasons)
    assert [one["description"] for one in received["examples"]] == [
        texts[f"example_{one.key}"] for one in known.resources.examples
    ]


def test_a_browser_gets_the_language_that_it_asks_for(nobody: Api) -> None:
    taiwan = nobody.get(GAME_PATH, Accept_Language="zh-TW,en;q=0.5")
    assert taiwan.headers["Content-Language"] == "zh-Hant"
    assert "Accept-Language" in taiwan.headers["Vary"]
    assert taiwan.data == nobody.get(f"{GAME_PATH}?language=zh-Hant").data
    assert taiwan.data != nobody.get(GAME_PATH).data


@pytest.mark.parametrize("game", GAMES)
def test_every_example_is_drawn_before_its_moves_and_after_them(nobody: Api, game: str) -> None:
    for one in nobody.get(f"/v1/games/{game}").json["examples"]:
        path = f"/v1/games/{game}/examples/{one['key']}.svg"
        before, after = nobody.get(path), nobody.get(f"{path}?after=true")
        assert before.mimetype == after.mimetype == "image/svg+xml"
        assert (before.data == after.data) == (
            one["refusal"] is not None and len(one["moves"]) == 1
        )
        again = nobody.get(path, If_None_Match=before.headers["ETag"])
        assert again.status_code == 304


def test_an_example_is_drawn_in_each_language(nobody: Api) -> None:
    path = f"{GAME_PATH}/examples/{GAMES['qin'].resources.examples[0].key}.svg"
    pictures = {nobody.get(f"{path}?language={language}").data for language in LANGUAGES}
    assert len(pictures) == len(LANGUAGES)


def test_there_are_no_other_examples(nobody: Api) -> None:
    assert nobody.get(f"{GAME_PATH}/examples/nonsense.svg").json["code"] == "not_found"


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_what_is_touched_are_in_the_language(
    qin: str, ann: Api, bob: Api, language: str
) -> None:
    mover = ann if moves(ann, qin) else bob
    menu = mover.get(f"{qin}/legal-moves?touch=true&language={language}")
    words, name = GAMES["qin"].words(language), menu.json["ways"][0][0][0]
    says = {one["name"]: one["label"] for one in menu.json["names"]}
    tile = words(f"tile_{name.partition(':')[2]}")
    assert says[name] == words("touch_tile", a=tile)
    assert menu.headers["Content-Language"] == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_has_its_title_in_the_language_of_the_caller(nobody: Api, language: str) -> None:
    answer = nobody.get("/v1/games/chess", Accept_Language=language)
    assert answer.json["title"] == title_of("not_found", language)
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_problems_are_explained_in_each_language(nobody: Api, language: str) -> None:
    received = nobody.get(f"/problems/stale_version?language={language}").json
    assert received["title"] == title_of("stale_version", language)
    assert received["advice"] == advice_of("stale_version", language)
    page = nobody.get(f"/problems?language={language}", Accept="text/html").text
    assert f'<html lang="{language}">' in page
    assert all(escape(title_of(code, language)) in page for code in STATUS_OF)
