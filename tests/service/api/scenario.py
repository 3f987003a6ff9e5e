"""The scenario behind the examples in the contract: each request and answer becomes an example."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

from msgspec.json import decode
from redis import Redis

from domain.games import GAMES
from domain.match.decisions import ending, playing
from domain.notice_types import NOTICE_TYPES
from domain.notices import Notice
from projections.outbox.plan import write_notice
from service.channels.discord.context import DiscordContext
from service.channels.webhooks.messages.bodies import build_ping
from service.channels.webhooks.messages.examples import build_example
from service.channels.webhooks.messages.formats import build_message_id
from service.channels.webhooks.queue.delivery_log import Delivery, DeliveryLog
from service.front.app import create_app
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from tests.projections.explored import fold, some_matches
from tests.service.api.conftest import Api, fold_lists, fold_statistics, moves, system
from tests.service.api.contract import contract, operation_of
from tests.service.api.discord import post_signed
from tests.service.api.example_export import show_export
from tests.service.api.learning import lessons
from tests.service.api.operating import operating
from tests.service.api.over import kept_and_declined, together
from tests.service.api.seated import bot_move, rate
from tests.service.api.stage import JSON, Stage, short
from tests.service.api.streams import streaming
from tests.support.apps import app_over
from workers.processes.analyst import make_analysis

NONCE = "5ca1ab1e" * 8
OPEN, ME = {"open": True}, {"me": True}
TOO_MANY = {"streams_per_caller": "too_many_own_streams", "max_streams": "too_many_streams"}


def play(stage: Stage) -> None:
    """Play all scenes in order."""
    zheng, zhao = registering(stage), stage.player("Zhao Kuo")
    operations(stage, zheng)
    a_game(stage, "qin", zheng, zhao)
    tables(stage, zheng, zhao)
    undo(stage, zheng, zhao)
    standings(stage, zheng, zhao)
    questions(stage, zheng, zhao)
    webhooks(stage, zheng, zhao)
    discord(stage, zheng)
    the_log(stage, zheng, zhao)
    other_games(stage)
    refusals(stage, zheng, zhao)
    account(stage, zheng)
    signing_in(stage, "Bai Qi")
    show_export(stage, Api(stage.app))
    explorer(stage, Api(stage.app))
    together(stage, Api(stage.app))
    lessons(stage, stage.player("Tian Dan"))
    operating(stage)


def registering(stage: Stage) -> Api:
    """A player registers."""
    account = stage.show(Api(stage.app), "POST", "/v1/players", {"name": "Ying Zheng"}).json
    caller = Api(stage.app, account["token"], account["player"]["id"])
    stage.show(caller, "GET", "/v1/players?name=ying%20zheng")
    return caller


def operations(stage: Stage, caller: Api) -> None:
    """Everything apart from matches."""
    stage.show(caller, "GET", "/")
    stage.show(caller, "GET", "/healthz")
    stage.show(caller, "GET", "/readyz")
    stage.show(caller, "GET", "/problems")
    stage.show(caller, "GET", "/problems/rule_broken")
    stage.show(caller, "GET", "/v1/games")
    stage.show(caller, "GET", "/v1/games", name="zh-Hant", Accept_Language="zh-TW")


def a_game(stage: Stage, game: str, *players: Api) -> None:
    """A few moves of a game, and all views of it."""
    stage.show(players[0], "GET", f"/v1/games/{game}", name=game)
    path = begin_match(stage, game, *players)
    for _ in range(2):
        a_move(stage, game, path, *players)
    for what in ("?sentences=true", "/board", "/events?sentences=true&limit=3", "/board.txt"):
        stage.show(players[0], "GET", f"{path}{what}", name=game)
    stage.clock.ms += 1_000
    players[1].post(f"{path}/resign")
    system(stage.annals, path, lambda match, now: ending.score(match))
    stage.show(players[0], "GET", f"{path}/position", name=game)
    rate(stage.annals, path)


def other_games(stage: Stage) -> None:
    """Each with its own players, time and chance: a new game changes no example of another."""
    now = stage.clock.ms
    for game in sorted(GAMES.keys() - {"qin"}):
        stage.clock.ms = now
        stage.chance.seed(game)
        a_game(stage, game, *(stage.player(f"{name} of {game}") for name in ("Li Mu", "Lian Po")))
    stage.clock.ms = now + 3_600_000
    stage.chance.seed("afterwards")


def begin_match(stage: Stage, game: str, *players: Api, **more: Any) -> str:
    """The address of a match between these players."""
    host, *others = players
    plan = {"game": game, "seats": [ME, *(OPEN for _ in others)], **more}
    path = f"/v1/matches/{host.post('/v1/matches', plan).json['id']}"
    for other in others:
        other.post(f"{path}/seats")
    return path


def a_move(stage: Stage, game: str, path: str, *players: Api) -> None:
    """The first legal move, previewed and made."""
    [mover, *_] = [player for player in players if moves(player, path)]
    menu = stage.show(mover, "GET", f"{path}/legal-moves?touch=true", name=game).json["moves"]
    for what in ("preview?sentences=true", "moves"):
        stage.show(mover, "POST", f"{path}/{what}", {"move": menu[0]}, name=game)


def pointing(stage: Stage, mover: Api, path: str) -> None:
    """The mover previews a legal and an illegal move by touches."""
    way = mover.get(f"{path}/legal-moves?touch=true").json["ways"][0][0]
    stage.show(mover, "POST", f"{path}/preview", {"touches": way}, name="touches")
    stage.show(mover, "POST", f"{path}/preview", {"touches": way[:1]}, name="unfinished")
    stage.show(mover, "POST", f"{path}/preview.svg", {"touches": way}, name="touches")


def tables(stage: Stage, host: Api, guest: Api) -> None:
    """Players open, find and close tables; they take, leave and give back seats."""
    bots = {"game": "qin", "seats": [ME, {"bot": "sun_bin"}]}
    stage.show(host, "POST", "/v1/matches", bots, name="againstBots")
    clock = {"bank_s": 600, "increment_s": 15}
    plan = {"game": "qin", "seats": [ME, OPEN, OPEN], "clock": clock, "undo": "off"}
    table = stage.show(host, "POST", "/v1/matches", plan, name="open").json
    path = f"/v1/matches/{table['id']}"
    stage.show(guest, "POST", f"{path}/seats", {"seat": 1, "nonce": NONCE})
    stage.show(guest, "DELETE", f"{path}/seats/1", name="leave")
    stage.show(host, "POST", f"{path}/start", {"level": "sun_bin"}, name="start")
    promised = {"commitment": sha256(bytes.fromhex(NONCE)).hexdigest()}
    waiting = guest.post("/v1/matches", {**bots, **promised})
    opened = f"/v1/matches/{waiting.json['id']}/nonce"
    stage.show(guest, "POST", opened, {"nonce": NONCE}, name="nonce")
    hotseat = {"game": "qin", "seats": [ME, ME], "options": {"board": "lion"}}
    stage.show(host, "POST", "/v1/matches", hotseat, name="hotseat")
    fold_lists(stage.annals)
    stage.show(guest, "GET", "/v1/matches?status=open")
    stage.show(host, "GET", "/v1/matches?limit=2")
    alone = host.post("/v1/matches", {"game": "qin", "seats": [ME, OPEN]}).json["id"]
    stage.show(host, "DELETE", f"/v1/matches/{alone}", name="close")
    late(stage, host, guest)
    kept_and_declined(stage, host, guest)


def late(stage: Stage, *players: Api) -> None:
    """A player runs out of time, and a bot plays until they return."""
    path = begin_match(stage, "qin", *players, clock={"per_move_s": 60})
    [mover] = [player for player in players if moves(player, path)]
    stage.clock.ms += 60_000
    system(stage.annals, path, playing.time_out)
    system(stage.annals, path, bot_move)
    stage.show(mover, "POST", f"{path}/reclaim", {}, name="reclaim")


def undo(stage: Stage, *players: Api) -> None:
    """The players agree to undo a move, and redo it; one resigns, the other forks."""
    path = begin_match(stage, "qin", *players)
    [mover] = [player for player in players if moves(player, path)]
    [other] = [player for player in players if player is not mover]
    mover.post(f"{path}/moves", {"move": moves(mover, path)[0]})
    stage.show(mover, "POST", f"{path}/undo", {"to": 2}, name="undo")
    fold_lists(stage.annals)
    stage.show(other, "GET", "/v1/me/turns")
    stage.show(other, "POST", f"{path}/undo/answer", {"agree": True}, name="answer")
    stage.show(mover, "GET", f"{path}/lines")
    stage.show(mover, "PUT", f"{path}/notes/2", {"text": "Bob likes the river."}, name="note")
    stage.show(mover, "GET", f"{path}/notes")
    stage.show(mover, "POST", f"{path}/redo", {}, name="redo")
    stage.show(other, "GET", f"{path}/events.ndjson?limit=3")
    stage.show_stream(other, f"{path}/stream", "streamEvents", after=1, count=2)
    stage.show_stream(other, "/v1/me/stream", "streamMyMatches", after=0, count=2)
    stage.show_stream(other, "/v1/lobby/stream", "streamLobby", after=0, count=2)
    stage.show(other, "POST", f"{path}/resign", {}, name="resign")
    stage.show(mover, "POST", f"{path}/forks", {"version": 3})
    fold_lists(stage.annals)
    stage.show(other, "GET", f"{path}/forks")


def standings(stage: Stage, *players: Api) -> None:
    """Ratings, and a series."""
    series = begin_match(stage, "qin", *players, options={"series": ["bird", "lion"]})
    fold_lists(stage.annals)
    stage.show(players[0], "GET", "/v1/leaderboards/qin?provisional=true")
    stage.show(players[0], "GET", f"/v1/players/{players[0].id}")
    stage.show(players[0], "GET", f"/v1/players/{players[0].id}/ratings?game=qin")
    stage.show(players[0], "GET", f"/v1/series/{series.rpartition('/')[2]}")


def questions(stage: Stage, *players: Api) -> None:
    """Queries about finished matches."""
    fold_statistics(stage.annals)
    one, other = (player.id for player in players)
    asked = "metric=win_share&include=seed,forfeit&by=seats"
    stage.show(players[0], "GET", "/v1/analytics")
    for name, path, query in (
        ("game", "games/qin", f"?{asked},seat"),
        ("player", f"players/{one}", f"?{asked}"),
        ("two_players", f"players/{one}/against/{other}", ""),
    ):
        for form in ("", ".csv"):
            stage.show(players[0], "GET", f"/v1/analytics/{path}{form}{query}", name=name)


def explorer(stage: Stage, caller: Api) -> None:
    """The choices in the first turn of finished matches."""
    some_matches(stage.annals.store, GAMES["qin"], count=4)
    fold(stage.annals.store)
    stage.show(caller, "GET", "/v1/analytics/explorer/qin?options=%7B%22board%22:%22lion%22%7D")


def webhooks(stage: Stage, *players: Api) -> None:
    """A player subscribes, tests the subscription, and looks at its deliveries."""
    owner = players[0]
    wanted = {
        "url": "https://example.com/hooks/annals",
        "types": ["turn.started", "match.ended"],
        "filter": {"my_turn": True},
        "headers": {"X-My-Bot": "7"},
    }
    made = stage.show(owner, "POST", "/v1/webhooks", wanted).json
    path = f"/v1/webhooks/{made['id']}"
    stage.show(owner, "GET", "/v1/webhooks/key")
    stage.show(owner, "POST", f"{path}/ping", {})
    stage.show(owner, "POST", f"{path}/send-example", {"type": "turn.started"})
    stage.show(owner, "POST", f"{path}/rotate-secret", {})
    stage.show(owner, "PATCH", path, {"filter": {"game": "qin"}})
    match = begin_match(stage, "qin", *players).rpartition("/")[2]
    stage.show(owner, "POST", f"{path}/replay", {"match": match, "from_version": 2})
    stage.show(owner, "POST", f"{path}/recover", {"since": "2026-11-21T12:00:00Z"})
    sent = show_delivery(stage, made["id"], match)
    stage.show(owner, "GET", f"{path}/deliveries?limit=2")
    stage.show(owner, "POST", f"{path}/deliveries/{sent}/redeliver", {})
    stage.show(owner, "GET", path)
    stage.show(owner, "GET", "/v1/webhooks")
    owner.delete(path)
    show_messages(stage)


def show_messages(stage: Stage) -> None:
    """An example of each message that a webhook receives."""
    annals = stage.annals
    bodies = {kind: build_example(annals, kind, "qin") for kind in NOTICE_TYPES}
    for kind, body in {**bodies, "ping": build_ping(annals)}.items():
        operation = contract()["webhooks"][kind]["post"]
        content = operation["requestBody"]["content"][JSON]
        stage.keep(f"{operation['operationId']}.request", content, "example", short(decode(body)))


def show_delivery(stage: Stage, webhook: str, match: str) -> str:
    """A notice that failed once and is retried, as a worker records it."""
    now = stage.annals.now()
    notice = Notice(2, 1, "turn.started", 0, now)
    name = build_message_id(match, notice, webhook)
    one = Delivery(
        name, notice.type, "waiting", now, now, 1, match, write_notice(notice),
        next_attempt_at=now + 5_000, response_code=502, response_body="Bad gateway",
        error="The receiver answered 502.", duration_ms=41,
    )  # fmt: skip
    DeliveryLog(stage.annals.store.redis, webhook).record(one)
    return name


def discord(stage: Stage, caller: Api) -> None:
    """What Discord sends, and a player with a linked account."""
    ping = {"id": "1", "application_id": "900", "type": 1, "token": "aW50ZXJhY3Rpb24"}
    user = {"id": "101", "username": "ying"}
    gone = {"type": "APPLICATION_DEAUTHORIZED", "data": {"user": user}}
    event = {"application_id": "900", "type": 1, "event": gone}
    for path, sent in (("interactions", ping), ("events", event)):
        operation = operation_of("POST", f"/v1/discord/{path}")
        answer = post_signed(stage.annals, f"/v1/discord/{path}", sent)
        content = operation["requestBody"]["content"]["application/json"]
        stage.keep(f"{operation['operationId']}.request", content, "example", sent)
        stage.keep_answer(operation, answer, "example")
    code = DiscordContext(stage.annals).links.create_code("101")
    stage.show(caller, "POST", "/v1/me/discord", {"code": code})
    stage.show(caller, "DELETE", "/v1/me/discord")


def the_log(stage: Stage, caller: Api, other: Api) -> None:
    """What is public of the transparency log, and a proof for a finished match."""
    path = begin_match(stage, "qin", caller, other)
    stage.show(caller, "GET", f"{path}/proof", name="not_logged")
    other.post(f"{path}/resign")
    system(stage.annals, path, lambda match, now: ending.score(match))
    settings, store = stage.annals.settings, stage.annals.store
    assert settings.tlog_folder
    folder = Folder(settings.tlog_folder)
    keys = Keys(folder.path, settings.tlog_keys)
    notary = CheckpointSigner(folder, store, keys, "annals.example/v1/log")
    while notary.step(stage.clock()):
        pass
    of_match = (f"{path}/{name}" for name in ("proof", "audit", "export"))
    for address in ("/v1/log/checkpoint", "/v1/log/keys", *of_match):
        stage.show(caller, "GET", address)
    stage.show(caller, "GET", f"{path}/proof?leaf=open", name="open")
    show_analysis(stage, caller, path)
    folder.set_stop_reason("The folder of the log is an older copy: put back the newest one.")
    stage.show(caller, "GET", "/v1/log/checkpoint", name="log_stopped")


def show_analysis(stage: Stage, caller: Api, path: str) -> None:
    """The analysis of a finished match, requested and completed."""
    match, annals = path.rpartition("/")[2], stage.annals
    for form in ("analysis", "analysis.svg"):
        stage.show(caller, "GET", f"{path}/{form}")
    make_analysis(annals, match, lambda done, of: None)
    stage.show(caller, "GET", f"{path}/analysis")
    stage.show(caller, "GET", f"{path}/turning-points")


def refusals(stage: Stage, host: Api, guest: Api) -> None:
    """The refusals and their problems."""
    path = begin_match(stage, "qin", host, guest)
    mover, waiting = (host, guest) if moves(host, path) else (guest, host)
    move = moves(mover, path)[0]
    post, get = f"{path}/moves", f"{path}/position"
    far = {**move, "halves": [{**half, "row": half["row"] + 99} for half in move["halves"]]}
    nobody = Api(stage.app)
    show = stage.show
    show(host, "GET", "/v1/matches?limit=x&nonsense=1", name="query")
    show(nobody, "POST", "/v1/players", {"name": "<b>"}, name="invalid")
    show(mover, "POST", post, {"move": {**move, "kind": "XY"}}, name="bad_move")
    pointing(stage, mover, path)
    show(nobody, "GET", "/v1/me", name="unauthorized")
    show(waiting, "POST", post, {"move": move}, name="not_your_turn")
    show(host, "GET", get, name="position_hidden")
    show(host, "GET", "/v1/matches/nonsense", name="not_found")
    show(host, "POST", f"{path}/start", {}, name="match_started")
    show(mover, "POST", post, {"move": move}, name="stale_version", If_Match='"1"')
    show(host, "POST", post, {"move": {"type": "x" * 70_000}}, name="too_large")
    show(mover, "POST", post, {"move": far}, name="rule_broken")
    not_json(stage, host, post)
    busy(stage, host, path)
    without_redis(stage, host)


def not_json(stage: Stage, caller: Api, path: str) -> None:
    """A body of another media type."""
    headers = {"Authorization": f"Bearer {caller.token}", "X-Request-Id": "example-not_json"}
    answer = stage.app.test_client().post(path, data="Place a tile.", headers=headers)
    stage.keep_answer(operation_of("POST", path), answer, "unsupported_media_type")


def busy(stage: Stage, caller: Api, path: str) -> None:
    """More streams than the limits allow, for one player and for all."""
    for limit, name in TOO_MANY.items():
        settings = replace(stage.annals.settings, **{limit: 1})
        app = create_app(replace(stage.annals, settings=settings))
        one = Api(app, caller.token)
        with streaming(one, f"{path}/stream"):
            stage.show(one, "GET", f"{path}/events?after=9&wait=5", name=name)


def without_redis(stage: Stage, caller: Api) -> None:
    """A service while its Redis is down."""
    caller = Api(app_over(stage.annals), caller.token)
    store = stage.annals.store
    there, store.redis = store.redis, Redis.from_url("unix:///nowhere/redis.sock", retry=None)
    stage.show(caller, "GET", "/readyz", name="unavailable")
    store.redis = there


def account(stage: Stage, caller: Api) -> None:
    """Tokens, another name, and recovery."""
    stage.show(caller, "GET", "/v1/me")
    stage.show(caller, "POST", "/v1/me/name", {"name": "Zheng"})
    wanted = {"name": "my bot", "scopes": ["read", "play"], "expires_in_s": 86_400}
    stage.show(caller, "POST", "/v1/me/tokens", wanted)
    stage.show(caller, "GET", "/v1/me/tokens")
    codes = stage.show(caller, "POST", "/v1/me/recovery-codes", {}).json["recovery_codes"]
    stage.show(caller, "POST", "/v1/me/token", {})
    stage.show(Api(stage.app), "POST", "/v1/recovery", {"name": "Zheng", "code": codes[0]})


def signing_in(stage: Stage, name: str) -> None:
    """A browser signs in by a code."""
    account = stage.player(name)
    code = stage.show(account, "POST", "/v1/session/codes", {}).json["code"]
    stage.show(Api(stage.app), "POST", "/v1/session", {"code": code}, Origin="http://localhost")
