"""Every problem that a game or a match can cause, for every game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.games import GAMES
from domain.match.decisions import absence, playing
from domain.match.events import UndoLapsed
from domain.match.length import UNDO_END_VERSION
from domain.match.log import Draft, make_entry
from domain.match.state import SYSTEM
from service.http.problem_codes import STATUS_OF
from service.matches.container import Annals
from tests.service.api.conftest import Api, Clock, fold_lists, register, system
from tests.service.api.seated import Table, table

OF_REQUESTS = {
    "analysis_failed", "analyst_busy", "bad_clock", "bad_code", "bad_cursor", "bad_recovery",
    "bad_signature", "banned", "contended", "corrupt", "cross_site", "exports_busy",
    "insufficient_scope",
    "internal", "invalid", "is_operator", "key_reused", "log_stopped", "malformed",
    "method_not_allowed", "name_taken", "no_backups", "not_acceptable", "not_an_operator",
    "too_early", "not_found", "not_in_lesson", "not_logged", "other_player",
    "rules_version_mismatch", "painters_busy", "refused", "statistics_busy", "store_unavailable",
    "too_large",
    "muted", "not_your_room", "phrases_only", "talk_closed", "too_many_muted", "too_many_reports",
    "too_many_bot_tables", "too_many_notes", "too_many_own_streams", "too_many_people",
    "too_many_requests",
    "too_many_streams", "too_many_tables", "too_many_tokens", "too_many_webhooks", "too_slow",
    "query_too_large", "unauthorized", "unknown_token", "unsupported_media_type",
    "webhook_disabled",
}  # fmt: skip
"""Problems that have nothing to do with the game."""
MAX_MOVES = 60
"""Number of moves within which every game reaches a state in which a seat has to wait."""


@dataclass
class Scene:
    """The service with one game, and a player without a seat."""

    app: Flask
    annals: Annals
    clock: Clock
    game: str
    stranger: Api

    @property
    def seats(self) -> int:
        """The smallest number of seats of the game."""
        return GAMES[self.game].seats[0]

    def table(self, **plan: Any) -> Table:
        """A started match."""
        return table(self.app, self.game, self.seats, **plan)

    def host(self, **changes: Any) -> TestResponse:
        """The answer to a request that opens a table, with some members changed."""
        seats = [{"me": True}, *({"open": True} for _ in range(self.seats - 1))]
        plan = {"game": self.game, "seats": seats, **changes}
        return self.stranger.post("/v1/matches", plan)

    def open(self) -> str:
        """The address of a table where only the host has taken a seat."""
        return f"/v1/matches/{self.host().json['id']}"

    def other(self) -> Api:
        """Another player."""
        return register(self.app, "Other")


@pytest.fixture
def scene(app: Flask, annals: Annals, clock: Clock, cid: Api, game: str) -> Scene:
    return Scene(app, annals, clock, game, cid)


def legal(at: Table) -> tuple[Api, dict[str, Any]]:
    """A player who has to decide, and a legal move for them."""
    player, some = at.menus()[0]
    return player, some[0]


def post_move(at: Table, **more: Any) -> TestResponse:
    """The answer to a legal move with some members changed."""
    player, move = legal(at)
    return player.post(f"{at.path}/moves", {"move": {**move, **more}})


def with_bad_seat(scene: Scene) -> TestResponse:
    return post_move(scene.table(), seat="0")


def with_bad_move(scene: Scene) -> TestResponse:
    return post_move(scene.table(), nonsense=1)


def with_the_seat_of_another(scene: Scene) -> TestResponse:
    at = scene.table()
    player, move = legal(at)
    other = (at.players.index(player) + 1) % scene.seats
    return player.post(f"{at.path}/moves", {"move": {**move, "seat": other}})


def with_two_seats(scene: Scene) -> TestResponse:
    at = scene.table()
    player, move = legal(at)
    seat = at.players.index(player)
    body = {"move": {**move, "seat": seat}, "seat": (seat + 1) % scene.seats}
    return player.post(f"{at.path}/moves", body)


def people_at_the_table(scene: Scene) -> TestResponse:
    at = scene.table()
    return at.players[0].delete(at.path)


def by_a_stranger(scene: Scene) -> TestResponse:
    at = scene.table()
    return scene.stranger.post(f"{at.path}/moves", {"move": legal(at)[1]})


def out_of_turn(scene: Scene) -> TestResponse:
    at = scene.table()
    for _ in range(MAX_MOVES):
        menus = at.menus()
        waiting = [player for player in at.players if player not in [who for who, _ in menus]]
        if waiting:
            move = {name: value for name, value in menus[0][1][0].items() if name != "seat"}
            return waiting[0].post(f"{at.path}/moves", {"move": move})
        at.play(1)
    raise AssertionError("everybody always has to decide")


def against_the_rules(scene: Scene) -> TestResponse:
    """A move that was legal earlier in the match, of some moves or always the first."""
    for called, play in (("Any", lambda at: at.play(1)), ("First", play_first)):
        if answer := find_refused(scene.table(called=called), play):
            return answer
    raise AssertionError("everything is always allowed")


def play_first(at: Table) -> None:
    """Make the first legal move, unless the game is over."""
    for player, some in at.menus()[:1]:
        player.post(f"{at.path}/moves", {"move": some[0]})


def find_refused(at: Table, play: Callable[[Table], object]) -> TestResponse | None:
    """The answer to a move that was legal earlier in the match; None if all still are."""
    made: list[tuple[Api, dict[str, Any]]] = []
    for _ in range(MAX_MOVES):
        for player, move in made:
            answer = player.post(f"{at.path}/preview", {"move": move})
            if answer.status_code != 200 and answer.json["code"] == "rule_broken":
                assert (
                    answer.json["rule_text"] == GAMES[at.game].rulebook.rules[answer.json["rule"]]
                )
                assert answer.json["fault"]
                return answer
        made += [(player, move) for player, some in at.menus() for move in some]
        play(at)
    return None


def after_the_end(scene: Scene) -> TestResponse:
    at = scene.table()
    player, move = legal(at)
    at.end(scene.annals)
    return player.post(f"{at.path}/moves", {"move": move})


def before_the_start(scene: Scene) -> TestResponse:
    move = legal(scene.table())[1]
    move.pop("seat", None)
    return scene.stranger.post(f"{scene.open()}/moves", {"move": move})


def a_closed_table(scene: Scene) -> TestResponse:
    path = scene.open()
    scene.stranger.delete(path)
    return scene.stranger.post(f"{path}/seats")


def a_seat_that_is_taken(scene: Scene) -> TestResponse:
    return scene.other().post(f"{scene.open()}/seats", {"seat": 0})


def no_such_seat(scene: Scene) -> TestResponse:
    return scene.other().post(f"{scene.open()}/seats", {"seat": scene.seats})


def the_eyes_of_another(scene: Scene) -> TestResponse:
    at = scene.table()
    return at.players[0].get(f"{at.path}?as=1")


def while_a_nonce_is_awaited(scene: Scene) -> TestResponse:
    seats = [{"me": True}] * scene.seats
    plan = {"game": scene.game, "seats": seats, "commitment": "00" * 32}
    path = f"/v1/matches/{scene.stranger.post('/v1/matches', plan).json['id']}"
    return scene.stranger.post(f"{path}/start")


def an_old_version(scene: Scene) -> TestResponse:
    at = scene.table()
    player, move = legal(at)
    return player.post(f"{at.path}/moves", {"move": move}, If_Match='"1"')


def two_requests(scene: Scene) -> TestResponse:
    at = scene.table()
    request_undo(at)
    return at.players[0].post(f"{at.path}/undo", {"to": scene.seats})


def an_answer_of_a_stranger(scene: Scene) -> TestResponse:
    at = scene.table()
    request_undo(at)
    return scene.stranger.post(f"{at.path}/undo/answer", {"agree": True})


def request_undo(at: Table) -> None:
    """A player requests an undo to the start."""
    at.play(4)  # a short game is not over by then
    assert at.players[0].post(f"{at.path}/undo", {"to": len(at.players)}).status_code < 400
    assert at.players[0].get(at.path).json["undo_request"]


def while_a_bot_plays(scene: Scene, what: str) -> TestResponse:
    at = scene.table(clock={"per_move_s": 60})
    player, move = legal(at)
    scene.clock.ms += 60_000
    system(scene.annals, at.path, playing.time_out)
    return player.post(f"{at.path}/{what}", {"move": move} if what == "moves" else None)


def after_a_time_out(scene: Scene) -> TestResponse:
    """The answer of a table that asks for all matches to be finished in time."""
    at = scene.table(clock={"per_move_s": 60})
    player, _ = legal(at)
    scene.clock.ms += 60_000
    system(scene.annals, at.path, playing.time_out)
    fold_lists(scene.annals)
    match = scene.host(min_reliability=100).json["id"]
    return player.post(f"/v1/matches/{match}/seats")


def an_undo_after_thousands_of_entries(scene: Scene) -> TestResponse:
    at = scene.table()
    store, match_id = scene.annals.store, at.path.rpartition("/")[2]
    for version in range(store.version(match_id) + 1, UNDO_END_VERSION + 1):
        nothing = Draft("UndoLapsed", (UndoLapsed(),))
        store.append(match_id, make_entry(nothing, version, SYSTEM, 0, 1), {})
    return at.players[0].post(f"{at.path}/undo")


def provoke_by_post(what: str, body: Any = None, **plan: Any) -> Callable[[Scene], TestResponse]:
    """The answer to the first player of a match that has just started."""

    def provoke(scene: Scene) -> TestResponse:
        at = scene.table(**plan)
        return at.players[0].post(f"{at.path}/{what}", body)

    return provoke


def propose_twice(scene: Scene, agree: bool | None) -> TestResponse:
    """The answer to the first player, who proposes the end again; perhaps after an answer."""
    at = scene.table()
    first, second, path = *at.players[:2], f"{at.path}/proposal"
    assert first.post(path, {"kind": "end"}).status_code == 200
    if agree is not None:
        assert second.post(path, {"kind": "end", "agree": agree}).status_code == 200
    return first.post(path, {"kind": "end"})


def while_paused(scene: Scene) -> TestResponse:
    """The answer to a move in a match that all players have agreed to pause."""
    at = scene.table(clock={"bank_s": 600})
    player, move = legal(at)
    for one in at.players:
        assert one.post(f"{at.path}/proposal", {"kind": "pause"}).status_code == 200
    return player.post(f"{at.path}/moves", {"move": move})


def while_a_seat_is_open(scene: Scene) -> TestResponse:
    """The answer to a second vote for a new player."""
    at = scene.table(patience_days=1)
    scene.clock.ms += 2 * 86_400_000
    system(scene.annals, at.path, absence.end_patience)
    absent = at.players[0].get(at.path).json["awaiting"][0]["seat"]
    for player in (one for seat, one in enumerate(at.players) if seat != absent):
        assert player.post(f"{at.path}/proposal", {"kind": "replacement"}).status_code == 200
    return player.post(f"{at.path}/proposal", {"kind": "replacement"})


def before_all_have_agreed(scene: Scene) -> TestResponse:
    at = scene.table()
    at.end(scene.annals)
    host = at.players[0]
    again = host.post(f"{at.path}/rematch").json["id"]
    return host.post(f"/v1/matches/{again}/start")


PROVOKE_BY_CODE: dict[str, Callable[[Scene], TestResponse]] = {
    "undo_already_requested": two_requests,
    "already_seated": lambda scene: scene.stranger.post(f"{scene.open()}/seats"),
    "bad_move": with_bad_move,
    "bad_options": lambda scene: scene.host(options={"nonsense": 1}),
    "bad_position": lambda scene: scene.host(position={"nonsense": 1}),
    "bad_seat": with_bad_seat,
    "bad_seats": lambda scene: scene.host(seats=[{"me": True}] * (GAMES[scene.game].seats[-1] + 1)),
    "bot_decides": lambda scene: while_a_bot_plays(scene, "reclaim"),
    "fork_is_private": provoke_by_post("forks", {"version": 2, "visibility": "public"}),
    "game_over": after_the_end,
    "match_aborted": a_closed_table,
    "match_not_started": before_the_start,
    "match_started": provoke_by_post("start"),
    "match_too_long": an_undo_after_thousands_of_entries,
    "no_such_seat": no_such_seat,
    "waiting_for_nonces": while_a_nonce_is_awaited,
    "no_answer_expected": an_answer_of_a_stranger,
    "not_scored": lambda scene: scene.stranger.get(f"{scene.table().path}/analysis"),
    "not_seated": by_a_stranger,
    "not_the_host": lambda scene: scene.other().post(f"{scene.open()}/start"),
    "not_your_view": the_eyes_of_another,
    "not_your_seat": with_the_seat_of_another,
    "not_your_turn": out_of_turn,
    "no_hints": lambda scene: (at := scene.table()).players[0].get(f"{at.path}/hints"),
    "no_rematch": provoke_by_post("rematch"),
    "no_replacement": while_a_seat_is_open,
    "no_absent_player": provoke_by_post("proposal", {"kind": "bot"}),
    "no_time_to_give": provoke_by_post("time"),
    "match_paused": while_paused,
    "no_pause": provoke_by_post("proposal", {"kind": "resume"}),
    "no_proposal": provoke_by_post("proposal", {"kind": "end", "agree": True}),
    "proposal_stands": lambda scene: propose_twice(scene, agree=None),
    "proposed_lately": lambda scene: propose_twice(scene, agree=False),
    "waiting_for_players": before_all_have_agreed,
    "no_undo_request": provoke_by_post("undo/answer", {"agree": True}),
    "not_invited": lambda scene: scene.stranger.delete(f"{scene.open()}/invitation"),
    "nothing_to_keep": provoke_by_post("keep"),
    "nothing_to_open": lambda scene: scene.stranger.post(
        f"{scene.open()}/nonce", {"nonce": "00" * 32}
    ),
    "nothing_to_reclaim": provoke_by_post("reclaim"),
    "nothing_to_redo": provoke_by_post("redo"),
    "nothing_to_undo": provoke_by_post("undo"),
    "match_has_players": people_at_the_table,
    "position_hidden": lambda scene: scene.stranger.get(f"{scene.table().path}/position"),
    "reliability_too_low": after_a_time_out,
    "rule_broken": against_the_rules,
    "seat_played_by_bot": lambda scene: while_a_bot_plays(scene, "moves"),
    "seat_taken": a_seat_that_is_taken,
    "seat_mismatch": with_two_seats,
    "stale_version": an_old_version,
    "undo_off": provoke_by_post("undo", undo="off"),
    "unknown_level": lambda scene: scene.host(substitute="nonsense"),
}


OF_RULES = {
    "bad_move", "bad_options", "bad_position", "game_over", "not_your_turn", "position_hidden",
    "rule_broken", "unknown_level",
}  # fmt: skip
"""Problems that follow from a game's own rules and records. Games take turns with the others, which
the match causes; `make test-long` provokes them with each.
"""
CASES = [
    pytest.param(game, code, id=f"{game}-{code}", marks=marks)
    for number, code in enumerate(PROVOKE_BY_CODE)
    for place, game in enumerate(GAMES)
    for has_turn in [code in OF_RULES or number % len(GAMES) == place]
    for marks in [() if has_turn else pytest.mark.long]
]


def test_every_problem_is_provoked() -> None:
    assert PROVOKE_BY_CODE.keys() | OF_REQUESTS == STATUS_OF.keys()
    assert not PROVOKE_BY_CODE.keys() & OF_REQUESTS
    assert PROVOKE_BY_CODE.keys() >= OF_RULES


@pytest.mark.slow
@pytest.mark.parametrize(("game", "code"), CASES)
def test_every_problem_can_come_of_every_game(scene: Scene, code: str) -> None:
    answer = PROVOKE_BY_CODE[code](scene)
    assert (answer.json["code"], answer.json["type"]) == (code, f"/problems/{code}"), answer.text
