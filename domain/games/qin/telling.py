"""What is said of the game, with the words of each language in `texts`."""

from __future__ import annotations

from domain.engine.sentences import (
    Part,
    Sayings,
    Sentence,
    Who,
    Words,
    counted,
    each,
    person,
    read,
    sentence,
    word,
)
from domain.games.qin.board import Half, Space, name_of
from domain.games.qin.view import View


def _space(_view: View, at: Space) -> Part:
    return name_of(*at)


def _half(_view: View, half: Half) -> Part:
    return sentence("half", color=Sentence(f"color_{half.color}"), at=name_of(half.row, half.col))


def _returned(_view: View, pagodas: tuple[int, ...]) -> Part:
    """Who took how many pagodas back, if there were any."""
    each_seat = tuple(
        sentence("returned", seat=Who(seat), pagodas=sentence("pagodas", count=count))
        for seat, count in enumerate(pagodas)
        if count
    )
    return sentence("returned_all", all=each_seat) if each_seat else ""


SAYINGS: Sayings = {
    "color": word("color"),
    "former": person,
    "halves": each(_half),
    "pagodas": counted("pagodas"),
    "province": _space,
    "provinces": each(_space),
    "reason": word("end"),
    "returned": _returned,
    "ruins": each(_space),
    "spaces": each(_space),
    "supplies": each(counted("pagodas")),
    "village": _space,
}
TEXTS = read(__package__)
ENGLISH = Words(TEXTS["en"])
