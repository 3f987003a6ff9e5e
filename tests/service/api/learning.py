"""Lessons over REST: how they begin, and the bots in them."""

from __future__ import annotations

from domain.match.decisions import playing
from domain.match.scheduled_work import bot_to_move
from service.matches.commands import Metadata, execute
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves
from tests.service.api.stage import Stage
from workers.jobs.bot_move import choose_move

BOT_S = 5.0
"""How long a bot may think; the weakest answer at once."""


def lessons(stage: Stage, caller: Api) -> None:
    """A player begins a lesson, does something else than it asks for, and then what it asks for."""
    stage.show(caller, "GET", "/v1/games/qin/lessons")
    path = "/v1/matches/" + stage.show(caller, "POST", "/v1/games/qin/lessons/first", {}).json["id"]
    stage.show(caller, "GET", f"{path}/lesson")
    wrong = {"touches": ["tile:YY"]}
    stage.show(caller, "POST", f"{path}/preview", wrong, name="notInLesson")
    stage.show(caller, "GET", f"{path}/hints", name="qin")
    caller.post(f"{path}/moves", {"move": moves(caller, path)[0]})
    caller.delete(path)


def let_bots_play(annals: Annals, path: str) -> None:
    """Let bots move until a player has to, as workers do."""
    name = path.rpartition("/")[2]
    while (seat := bot_to_move(match := annals.matches.latest(name))) is not None:
        move = choose_move(match, seat, BOT_S)
        actor = Metadata(f"bot:{match.chairs[seat].bot}", (match.version,))
        execute(annals, name, actor, lambda match, now, move=move: playing.move(match, move, now))
