"""The games that can be played; to add one is a folder and a line here."""

from typing import Any

from domain.engine.game import Game
from domain.games import (
    chang_cheng,
    great_wall,
    hansa_teutonica,
    qin,
    tigris_euphrates,
)

GAMES: dict[str, Game[Any]] = {
    "chang_cheng": chang_cheng.GAME,
    "great_wall": great_wall.GAME,
    "hansa_teutonica": hansa_teutonica.GAME,
    "qin": qin.GAME,
    "tigris_euphrates": tigris_euphrates.GAME,
}
