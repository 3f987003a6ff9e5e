"""Every address, for every game in each of its modes, as every seat and as a spectator."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from flask import Flask

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.matches.container import Annals
from tests.games.modes import Seating, seatings
from tests.service.api.conftest import Api, fold_lists
from tests.service.api.seated import Table, table
from tests.service.api.streams import read_stream

TABLES = seatings(GAMES.values())
"""Each game in each of its modes, with the fewest and the most seats."""
LARGEST = list({(one.game.key, str(one.options)): one for one in TABLES}.values())
"""Each game in each of its modes, with the most seats."""
SMALLEST = list({(one.game.key, str(one.options)): one for one in reversed(TABLES)}.values())
"""Each game in each of its modes, with the fewest seats."""
MOVES = 4
ONE = "/v1/matches/<match_id:match_id>"
OF_ANALYSIS = ("analysis", "analysis.svg", "turning-points", "better.svg")
SUCCESS = dict.fromkeys((f"{ONE}/{one}" for one in OF_ANALYSIS), 202)
"""By route, the status of a successful answer, if it is not 200."""
RESULTS = tuple(f"{ONE}/{what}" for what in ("points", "points.svg", "result.svg", "result.png"))
HOOK = "/v1/webhooks/<webhook>"
HOOKS = (HOOK, f"{HOOK}/deliveries")
OF_OPERATORS = tuple(
    f"/v1/admin/{what}"
    for what in (
        "actions",
        "backups",
        "health",
        "matches",
        "players",
        "reports",
        "settings",
        "webhooks",
    )
)
TALK = f"{ONE}/talk/<any(players, spectators):room>"
OF_MEMBERS = (
    f"{ONE}/forced-moves",
    f"{ONE}/notes",
    f"{ONE}/notices",
    f"{ONE}/plan",
    TALK,
    f"{TALK}/stream",
)
ONES_OWN = (
    "/v1/me",
    "/v1/me/blocks",
    "/v1/me/follows",
    "/v1/me/mail",
    "/v1/me/forced-moves",
    "/v1/me/mutes",
    "/v1/me/notices",
    "/v1/me/presence",
    "/v1/me/push-subscriptions",
    "/v1/me/tokens",
    "/v1/me/turns",
    "/v1/me/stream",
    "/v1/webhooks",
    *HOOKS,
)
PICTURES = ("board.svg", "board.txt")
OF_A_GAME = {
    ONE,
    *(
        f"{ONE}/{what}"
        for what in (
            "audit",
            "board",
            "board.png",
            "board.svg",
            "board.txt",
            "events",
            "events.ndjson",
            "export",
            "hints",
            "legal-moves",
            "points",
            "points.svg",
            "position",
            "result.svg",
            "stream",
        )
    ),
    "/v1/analytics/explorer/<game>",
    "/v1/analytics/games/<game>",
    "/v1/games/<game>",
    "/v1/games/<game>/cover.svg",
    "/v1/games/<game>/examples/<example>.svg",
    "/v1/games/<game>/lessons",
    "/v1/leaderboards/<game>",
}
"""Routes whose answer the game makes; the others answer alike for all games."""


def open_addresses(at: Table) -> dict[str, list[str]]:
    """By route, the addresses that answer all callers alike."""
    player = at.players[0].id
    return {
        "/": ["/"],
        "/healthz": ["/healthz"],
        "/readyz": ["/readyz"],
        "/openapi.yaml": ["/openapi.yaml"],
        "/openapi.json": ["/openapi.json"],
        "/openapi/<part>.yaml": [f"/openapi/{at.game}.yaml"],
        "/openapi/<part>.json": [f"/openapi/{at.game}.json"],
        "/docs": ["/docs"],
        "/docs/<name>": ["/docs/start.js"],
        "/guide": ["/guide"],
        "/guide/<name>": [f"/guide/{at.game}", f"/guide/{at.game}-rules"],
        "/problems": ["/problems"],
        "/problems/<code>": ["/problems/not_found"],  # test_contract.py requests all of them
        "/v1/webhooks/key": ["/v1/webhooks/key"],
        "/v1/log/checkpoint": ["/v1/log/checkpoint"],
        "/v1/log/keys": ["/v1/log/keys"],
        "/v1/log/tile/<path:tile>": ["/v1/log/tile/0/000"],
        "/v1/analytics/tables": ["/v1/analytics/tables"],
        "/v1/games": ["/v1/games"],
        "/v1/games/<game>": [f"/v1/games/{at.game}?language={code}" for code in LANGUAGES],
        "/v1/games/<game>/lessons": [f"/v1/games/{at.game}/lessons"],
        "/v1/games/<game>/cover.svg": [f"/v1/games/{at.game}/cover.svg"],
        "/v1/games/<game>/cover.png": [f"/v1/games/{at.game}/cover.png"],
        "/v1/games/<game>/examples/<example>.svg": [
            f"/v1/games/{at.game}/examples/{one.key}.svg?after={after}"
            for one in GAMES[at.game].resources.examples[:2]
            for after in ("true", "false")
        ],
        "/v1/analytics": ["/v1/analytics"],
        **query_forms(f"/v1/analytics/games/{at.game}", "games/<game>"),
        **query_forms(f"/v1/analytics/players/{player}", "players/<player>"),
        **query_forms(
            f"/v1/analytics/players/{player}/against/{at.players[-1].id}",
            "players/<player>/against/<other>",
        ),
        "/v1/leaderboards/<game>": [f"/v1/leaderboards/{at.game}"],
        "/v1/leaderboards/<game>.svg": [f"/v1/leaderboards/{at.game}.svg?provisional=true"],
        "/v1/series/<match_id:series>": [f"/v1/series/{at.path.rpartition('/')[2]}"],
        "/v1/players": ["/v1/players?name=Player%200"],
        "/v1/players/<player>": [f"/v1/players/{player}"],
        **{
            f"/v1/players/<player>/{what}": [f"/v1/players/{player}/{what}?game={at.game}"]
            for what in ("ratings", "ratings.svg")
        },
    }


def query_forms(path: str, route: str) -> dict[str, list[str]]:
    """By route, a query in all its forms."""
    question = "metric=win_share&by=seat"
    return {
        f"/v1/analytics/{route}{end}": [f"{path}{end}", f"{path}{end}?{question}"]
        for end in ("", ".csv", ".vega.json", ".svg")
    }


def addresses(
    at: Table, caller: Api, over: bool, languages: Collection[str] = LANGUAGES
) -> dict[str, list[str]]:
    """By route, the addresses of a match, and of the caller, with texts in these languages."""

    def in_languages(path: str) -> list[str]:
        return [f"{path}?language={language}" for language in languages]

    def in_words(path: str, query: str) -> list[str]:
        """An address without texts, and with texts in each language."""
        tags = (f"&sentences=true&language={language}" for language in languages)
        return [f"{path}?{query}{words}" for words in ("", *tags)]

    begun, last = len(at.players), at.version
    room = "players" if caller in at.players else "spectators"
    own = [f"?as={at.players.index(caller)}"] if caller in at.players else []
    viewers = [f"?as={seat}" for seat in range(len(at.players))] if over else own
    past = [f"?version={version}" for version in (1, begun, last - 1)]
    moments = ["", *viewers, "?as=spectator", *past, *(f"{one}&as=spectator" for one in past)]
    drawn = ["", *viewers, "?as=spectator", past[-1]]
    explored = f"/v1/analytics/explorer/{at.game}"
    here = f"{explored}?match={at.path.rpartition('/')[2]}"
    return {
        "/v1/analytics/explorer/<game>": [explored, here, f"{here}&version={begun}"],
        "/v1/me": ["/v1/me"],
        "/v1/me/blocks": ["/v1/me/blocks"],
        "/v1/me/follows": ["/v1/me/follows"],
        "/v1/me/mail": ["/v1/me/mail"],
        "/v1/me/forced-moves": ["/v1/me/forced-moves"],
        "/v1/me/mutes": ["/v1/me/mutes"],
        "/v1/me/notices": ["/v1/me/notices"],
        "/v1/me/presence": ["/v1/me/presence"],
        "/v1/me/push-subscriptions": ["/v1/me/push-subscriptions"],
        "/v1/me/tokens": ["/v1/me/tokens"],
        "/v1/me/turns": ["/v1/me/turns"],
        "/v1/me/stream": ["/v1/me/stream?after=0"],
        "/v1/lobby/stream": [f"/v1/lobby/stream?after=0&game={at.game}"],
        "/v1/webhooks": ["/v1/webhooks"],
        **{route: [route] for route in OF_OPERATORS},
        **{route: [route.replace("<webhook>", "w0")] for route in HOOKS},
        "/v1/matches": ["/v1/matches", f"/v1/matches?game={at.game}&player={at.players[0].id}"],
        ONE: [f"{at.path}{moment}" for moment in moments] + in_words(at.path, "board=false"),
        f"{ONE}/board": [f"{at.path}/board"],
        f"{ONE}/board.svg": [f"{at.path}/board.svg{moment}" for moment in drawn],
        f"{ONE}/board.txt": [f"{at.path}/board.txt{moment}" for moment in drawn],
        f"{ONE}/board.png": [f"{at.path}/board.png?width=320"],
        f"{ONE}/events": [
            *in_words(f"{at.path}/events", "proof=true"),
            *(f"{at.path}/events?after={version}" for version in (0, begun, last - 1, last)),
        ],
        f"{ONE}/events.ndjson": in_words(f"{at.path}/events.ndjson", "proof=true"),
        f"{ONE}/stream": in_words(f"{at.path}/stream", "after=0"),
        f"{ONE}/legal-moves": [
            f"{at.path}/legal-moves",
            f"{at.path}/legal-moves?touch=true",
            *(f"{at.path}/legal-moves{o}" for o in own),
        ],
        f"{ONE}/hints": in_languages(f"{at.path}/hints"),
        f"{ONE}/forced-moves": [f"{at.path}/forced-moves"],
        f"{ONE}/notes": [f"{at.path}/notes"],
        f"{ONE}/notices": [f"{at.path}/notices"],
        f"{ONE}/plan": [f"{at.path}/plan"],
        TALK: in_languages(f"{at.path}/talk/{room}"),
        f"{TALK}/stream": [f"{at.path}/talk/{room}/stream?after=0"],
        f"{ONE}/position": [f"{at.path}/position", f"{at.path}/position?version={begun}"],
        f"{ONE}/lines": [f"{at.path}/lines", f"{at.path}/lines?limit=1"],
        f"{ONE}/forks": [f"{at.path}/forks"],
        f"{ONE}/audit": [f"{at.path}/audit"],
        f"{ONE}/analysis": [f"{at.path}/analysis"],
        f"{ONE}/points": [f"{at.path}/points"],
        f"{ONE}/points.svg": in_languages(f"{at.path}/points.svg"),
        f"{ONE}/result.svg": in_languages(f"{at.path}/result.svg"),
        f"{ONE}/result.png": [f"{at.path}/result.png"],
        f"{ONE}/analysis.svg": [f"{at.path}/analysis.svg?form={one}" for one in ("chart", "strip")],
        f"{ONE}/turning-points": [f"{at.path}/turning-points?language={one}" for one in LANGUAGES],
        f"{ONE}/better.svg": [f"{at.path}/better.svg?version={last}"],
        f"{ONE}/lesson": [f"{at.path}/lesson"],
        f"{ONE}/export": [f"{at.path}/export{moment}" for moment in ("", *viewers)],
        f"{ONE}/proof": [f"{at.path}/proof", f"{at.path}/proof?leaf=open"],
    }


def problems_by_route(at: Table, caller: Api, over: bool) -> dict[str, str]:
    """By route, the problem that this caller gets."""
    codes = {**dict.fromkeys(HOOKS, "not_found"), f"{ONE}/proof": "not_logged"}
    off = ("/v1/me/mail", "/v1/me/push-subscriptions")
    codes |= dict.fromkeys((f"{ONE}/lesson", *off), "not_found")  # a usual match
    codes |= dict.fromkeys(OF_OPERATORS, "not_an_operator")
    if not over:
        codes[f"{ONE}/position"] = "position_hidden"
        codes |= dict.fromkeys((*SUCCESS, *RESULTS), "not_scored")
    if len(at.players) > 1:
        codes[f"{ONE}/hints"] = "no_hints"
    if caller not in at.players:
        refusal = "not_seated" if caller.token else "unauthorized"
        own = tuple(
            f"{ONE}/{what}" for what in ("legal-moves", "hints", "forced-moves", "plan", "notices")
        )
        codes |= dict.fromkeys(own, refusal)
    if not caller.token:
        codes |= dict.fromkeys((*ONES_OWN, *OF_OPERATORS, *OF_MEMBERS), "unauthorized")
    return codes


def ask_everything(
    at: Table,
    caller: Api,
    over: bool = False,
    *,
    routes: Collection[str] | None = None,
    languages: Collection[str] = LANGUAGES,
) -> None:
    """All addresses answer, or those of some routes; the client checks each answer against the
    contract.
    """
    codes = problems_by_route(at, caller, over)
    for route, paths in addresses(at, caller, over, languages).items():
        for path in paths if routes is None or route in routes else ():
            if route == f"{ONE}/stream":
                assert len(read_stream(caller, path, at.version)) == at.version
                continue
            answer = caller.get(path)
            if route in codes:
                assert answer.json["code"] == codes[route], path
            else:
                assert answer.status_code == SUCCESS.get(route, 200), (path, answer.text)
            answer.close()


def ask_what_is_open(at: Table, anybody: Api, routes: Collection[str] | None = None) -> None:
    """Pages, games and lists answer, or those of some routes; a match without a series has none,
    the log is off, the lobby is empty, and no player has played against themselves.
    """
    nowhere = ("series", "/log/", "/tables", *(["against"] if len(at.players) == 1 else []))
    for route, paths in open_addresses(at).items():
        for path in paths if routes is None or route in routes else ():
            missing = any(word in route for word in nowhere)
            status = 404 if missing else 200
            assert anybody.get(path).status_code == status, path


def test_every_readable_route_is_requested(app: Flask) -> None:
    routes = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("page.")
    }
    at = table(app, "qin", 2)
    asked = addresses(at, Api(app), over=False).keys() | open_addresses(at).keys()
    assert asked == routes
    assert asked >= OF_A_GAME


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "number"),
    [pytest.param(one, number, id=str(one)) for number, one in enumerate(LARGEST)],
)
def test_every_address_answers_players_and_spectators(
    one: Seating, number: int, app: Flask, annals: Annals, cid: Api, nobody: Api
) -> None:
    """Each caller asks at each table, and both before and after the end, but not all at all: those
    who ask before the end at one table ask after it at the next. Routes that no game changes are
    asked at the first table, and languages take turns at the others.
    """
    at = table(app, one.game.key, one.seats, options=one.options)
    at.play(MOVES)
    routes = OF_A_GAME if number else None
    languages = [[*LANGUAGES][number % len(LANGUAGES)]] if number else [*LANGUAGES]
    for over in (False, True):
        if over:
            at.end(annals)
        fold_lists(annals)
        pairs = (at.players[0], nobody), (at.players[-1], cid)
        for caller in pairs[(number + over) % 2]:
            ask_everything(at, caller, over, routes=routes, languages=languages)
    ask_what_is_open(at, nobody, routes)


@pytest.mark.slow
@pytest.mark.parametrize("one", SMALLEST, ids=str)
def test_every_kind_of_move_is_previewed_and_the_views_follow(
    one: Seating, app: Flask, nobody: Api
) -> None:
    """A state without its board has the rest of the whole."""
    at = table(app, one.game.key, one.seats, options=one.options)
    board = nobody.get(f"{at.path}/board")
    for _ in range(MOVES):
        for player, some in at.menus():
            for move in some:
                answer = player.post(f"{at.path}/preview", {"move": move})
                assert answer.status_code == 200, answer.text
        at.play(1)
        for caller in (*at.players, nobody):
            whole = caller.get(at.path).json
            short = caller.get(f"{at.path}?board=false").json
            assert short["view"].keys() & board.json.keys() == {"game"}
            assert {**short, "view": {**short["view"], **board.json}} == whole
        for picture in PICTURES:
            assert player.get(f"{at.path}/{picture}").data
    again = nobody.get(f"{at.path}/board", If_None_Match=board.headers["ETag"])
    assert again.status_code == 304
