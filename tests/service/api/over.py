"""Matches played together to their end, one that its player keeps, and one that is played again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import Bot
from domain.games.great_wall import GAME as GREAT_WALL
from domain.games.great_wall.bot.hasty import hasty_bot
from domain.match.decisions import ending, playing
from domain.match.log import Draft
from domain.match.state import Match
from service.matches.container import Annals
from tests.games.great_wall.together import NEARLY_WON
from tests.service.api.conftest import Api, fold_lists, system
from tests.service.api.mailing import sending_mail
from tests.service.api.seated import Table, table
from tests.service.api.stage import Stage
from tests.support.push_browser import BROWSER

PUSH = "/v1/me/push-subscriptions"


def together(stage: Stage, caller: Api) -> None:
    """A table that won together, one player who lost against the rival, and two who play again."""
    for name, at in ("won", won_together), ("lost", lost_alone):
        path = at(stage.app, stage.annals).path
        stage.show(caller, "GET", f"{path}?board=false&sentences=true", name=name)
        stage.show(caller, "GET", f"{path}/points", name=name)
    played_again(stage, stage.player("Zhao She"), stage.player("Le Yi"))


def people(stage: Stage, caller: Api, other: Api) -> None:
    """A player follows another and then blocks them."""
    for name in ("follows", "blocks"):
        stage.show(caller, "PUT", f"/v1/me/{name}/{other.id}")
        stage.show(caller, "GET", f"/v1/me/{name}")
        stage.show(caller, "DELETE", f"/v1/me/{name}/{other.id}")
    stage.show(caller, "PUT", "/v1/me/presence", {"shown": True}, name="presence")
    stage.show(caller, "GET", "/v1/me/presence")
    wanted = {"address": "lin@example.org", "kinds": ["turn", "end"], "time_zone": "Asia/Shanghai"}
    with sending_mail(stage.app, stage.annals):
        stage.show(caller, "PUT", "/v1/me/mail", wanted)
        stage.show(caller, "GET", "/v1/me/mail")
        night = {"from": "22:00", "until": "07:00", "time_zone": "Asia/Shanghai"}
        table = {"kinds": {}, "twice": True, "quiet_hours": night}
        stage.show(caller, "PUT", "/v1/me/notices", table, name="notices")
        stage.show(caller, "GET", "/v1/me/notices")
        pushed = BROWSER.subscription(kinds=["turn", "reminder"])
        found = stage.show(caller, "POST", PUSH, pushed)
        stage.show(caller, "GET", PUSH)
        stage.show(caller, "DELETE", f"{PUSH}/{found.json['id']}")
    stage.show(caller, "PUT", "/v1/me/forced-moves", {"automatic": True}, name="account")
    stage.show(caller, "GET", "/v1/me/forced-moves")


def won_together(app: Flask, annals: Annals) -> Table:
    """A match that three players won by the rules, from a position close to the end."""
    plan = {"options": {"mode": "coop"}, "position": NEARLY_WON}
    return play_out(annals, table(app, GREAT_WALL.key, 3, **plan), hasty_bot)


def lost_alone(app: Flask, annals: Annals) -> Table:
    """A solo match lost by the rules, against a rival."""
    plan = {"options": {"mode": "solo", "difficulty": "hard"}, "seed": "17" * 32}
    return play_out(
        annals, table(app, GREAT_WALL.key, 1, called="Alone", **plan), GREAT_WALL.levels[0].bot
    )


def play_out(annals: Annals, at: Table, bot: Bot) -> Table:
    """A match in which this bot plays all seats to the end."""
    luck = Luck("played")
    while not annals.matches.latest(at.path.rpartition("/")[2]).over:
        system(annals, at.path, mover(bot, luck))
    system(annals, at.path, lambda match, _: ending.score(match))
    fold_lists(annals)
    return at


def mover(bot: Bot, luck: Luck) -> Callable[[Match, int], Draft]:
    """What this bot does for the seat that has to decide."""

    def move(match: Match, now: int) -> Draft:
        view: Any = bot_view(match.game, match.state, match.seats_to_move[0], luck)
        return playing.move(match, bot(view), now)

    return move


def kept_and_declined(stage: Stage, host: Api, guest: Api) -> None:
    """A player keeps a match, and another declines an invitation."""
    seats = [{"me": True}, {"invite": guest.get("/v1/me").json["name"]}]
    table = host.post("/v1/matches", {"game": "qin", "seats": seats}).json
    stage.show(guest, "DELETE", f"/v1/matches/{table['id']}/invitation", name="decline")
    _keep(stage, host)


def played_again(stage: Stage, host: Api, guest: Api) -> None:
    """A player gives the other time, and declines to end the match; later one offers to play again,
    and the other agrees.
    """
    table = {"game": "qin", "seats": [{"me": True}, {"open": True}], "clock": {"per_move_s": 86400}}
    path = f"/v1/matches/{host.post('/v1/matches', table).json['id']}"
    first = guest.post(f"{path}/seats").json["awaiting"][0]["seat"]
    stage.show((guest, host)[first], "POST", f"{path}/time", {"seconds": 3600}, name="given")
    stage.show(host, "POST", f"{path}/proposal", {"kind": "end"}, name="proposed")
    stage.show(guest, "POST", f"{path}/proposal", {"kind": "end", "agree": False}, name="declined")
    stage.show(guest, "POST", f"{path}/proposal", {"kind": "pause"}, name="pause")
    host.post(f"{path}/proposal", {"kind": "pause"})
    stage.show(host, "POST", f"{path}/proposal", {"kind": "resume"}, name="resumed")
    stage.show(host, "PUT", f"{path}/forced-moves", {"automatic": True}, name="match")
    stage.show(host, "GET", f"{path}/forced-moves")
    stage.show(host, "PUT", f"{path}/notices", {"notices": "none"}, name="about_match")
    stage.show(host, "GET", f"{path}/notices")
    _plan(stage, (host, guest)[first], path)
    guest.post(f"{path}/resign")
    system(stage.annals, path, lambda match, _: ending.score(match))
    stage.show(host, "POST", f"{path}/rematch", {"nonce": "5e" * 32}, name="offered")
    stage.show(guest, "POST", f"{path}/rematch", {}, name="agreed")
    people(stage, host, guest)


def _plan(stage: Stage, player: Api, path: str) -> None:
    """A player plans a move, and changes their mind."""
    move = player.get(f"{path}/legal-moves").json["moves"][0]
    plan = {"moves": [{"move": move, "unchanged": ["/cells"]}]}
    stage.show(player, "PUT", f"{path}/plan", plan, name="match")
    stage.show(player, "GET", f"{path}/plan")
    stage.show(player, "DELETE", f"{path}/plan")


def _keep(stage: Stage, player: Api) -> None:
    """A player keeps a match against a bot that would end by itself."""
    table = player.post(
        "/v1/matches", {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}]}
    ).json
    stage.clock.ms += 8 * 86_400_000
    stage.show(player, "POST", f"/v1/matches/{table['id']}/keep", {}, name="keep")
