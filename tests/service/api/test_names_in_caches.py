"""No cache keeps the name of somebody who has another one now, or none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.front.app import create_app
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, opened, play_on, registered
from tests.service.api.test_pictures import settle

NAME = "Wilhelmina"
LOOKS = [
    f"{what}{query}"
    for what in ("", "/board.svg", "/board.png", "/board.txt")
    for query in ("", "?version=3", "?as=0", "?version=3&as=0", "?version=3&as=spectator")
] + ["?version=3&as=0&words=true"]
QUERIES = ("", "?version=3&as=0", "?version=3&as=spectator", "?as=spectator", "?words=true")


@pytest.fixture
def player(annals: Annals) -> Api:
    """Somebody whose name is nowhere else."""
    return registered(create_app(annals), NAME)


@pytest.fixture
def path(player: Api, bob: Api, annals: Annals) -> str:
    """A match of theirs that is over."""
    path = opened(player, bob)
    settle(annals, path, player, bob)
    return path


def rename(player: Api) -> None:
    assert player.post("/v1/me/name", {"name": "Mina"}).status_code == 200


def leave(player: Api) -> None:
    assert player.delete(f"/v1/me?name={NAME}").status_code == 204


@pytest.mark.parametrize("go", [rename, leave])
@pytest.mark.parametrize("look", LOOKS)
def test_what_one_has_with_an_old_name_is_not_still_good(
    player: Api, path: str, nobody: Api, go: Callable[[Api], None], look: str
) -> None:
    before = nobody.get(path + look)
    assert nobody.get(path + look, If_None_Match=before.headers["ETag"]).status_code == 304
    go(player)
    after = nobody.get(path + look, If_None_Match=before.headers["ETag"])
    assert (after.status_code, NAME.encode() in after.data) == (200, False)
    assert after.data != before.data


def test_nothing_with_a_name_may_be_kept_unasked(
    player: Api, path: str, bob: Api, nobody: Api
) -> None:
    addresses = {
        rule.rule.replace("/v1/matches/<match_id:match_id>", path)
        .replace("<player>", player.id)
        .replace("<game>", "qin")
        for rule in player.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.endswith("/stream")
        if not rule.endpoint.startswith("page.")  # tests/page/ holds those to it
    }
    named = set()
    for address in sorted(one for one in addresses if "<" not in one):
        for query in QUERIES:
            for caller in (player, bob, nobody):
                answer = caller.get(address + query)
                if answer.status_code == 200 and NAME.encode() in answer.data:
                    named.add(address)
                    keep = answer.headers["Cache-Control"]
                    assert "no-cache" in keep or "no-store" in keep, address + query
    assert {path, f"{path}/board.svg", f"{path}/board.txt", f"{path}/events"} <= named
    assert f"/v1/players/{player.id}" in named


def test_a_refusal_may_not_be_kept_unasked(nobody: Api) -> None:
    """It may be there by tomorrow, or for somebody else."""
    for address in ("/v1/matches/aaaaaaaaaaaa/board.svg", "/v1/players/nobody", "/v1/me"):
        assert "no-cache" in nobody.get(address).headers["Cache-Control"], address


def test_a_tag_with_names_is_good_for_a_command(player: Api, bob: Api) -> None:
    path = opened(player, bob)
    play_on(path, player, bob, until=3)
    mover = player if moves(player, path) else bob
    tag = mover.get(path).headers["ETag"]
    move = {"move": moves(mover, path)[0]}
    assert mover.post(f"{path}/moves", move, If_Match=tag).status_code == 201
    assert mover.post(f"{path}/moves", move, If_Match=tag).status_code == 412
