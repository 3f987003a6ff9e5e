"""The page on which a new player takes the seat of an absent one."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from domain.match.decisions import absence
from service.matches.container import Annals
from tests.page.test_pages import ORIGIN, show_page
from tests.service.api.conftest import Api, Clock, fold_lists, open_table, system


def test_pages_offer_the_seat_of_an_absent_player_to_those_without_one(
    app: Flask, annals: Annals, clock: Clock, ann: Api, bob: Api
) -> None:
    client: FlaskClient = app.test_client()
    match = open_table(ann, bob, game="qin").removeprefix("/v1")
    [late] = annals.matches.latest(match.rpartition("/")[2]).seats_to_move
    clock.ms += 15 * 86_400_000
    system(annals, match, absence.end_patience)
    absent, other = (ann, bob) if late == 0 else (bob, ann)
    take = f'data-do="join" data-seat="{late}"'
    assert take not in show_page(client, f"{match}?seat=").text
    assert other.post(f"/v1{match}/proposal", {"kind": "replacement"}).status_code == 200
    fold_lists(annals)
    seat = f"{match.rpartition('/')[2]}?seat="
    assert seat in show_page(client, "/?status=replacement").text
    assert seat in show_page(client, match).text
    shown = show_page(client, f"{match}?seat=").text
    assert take in shown
    assert "board.svg?as=spectator" in shown
    for player in absent, other:
        client.post("/v1/session", json={"token": player.token}, headers=ORIGIN)
        assert take not in show_page(client, f"{match}?seat=").text
        assert "A new player can take the seat" in show_page(client, match).text
