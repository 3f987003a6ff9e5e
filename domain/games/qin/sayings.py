"""The sentences of the game; `texts` has their words in each language."""

from __future__ import annotations

from domain.engine.sentences import (
    Part,
    Sayings,
    SeatName,
    Sentence,
    describe_fields,
    each,
    person,
    same_effects,
    sentence,
    who_wins,
    with_count,
    word,
)
from domain.games.qin.board import Half, Space, name_of
from domain.games.qin.state.steps import Turn
from domain.games.qin.view import View


def _space(_view: View, at: Space) -> Part:
    return name_of(*at)


def _half(_view: View, half: Half) -> Part:
    return sentence("half", color=Sentence(f"color_{half.color}"), at=name_of(half.row, half.col))


def _describe_returns(_view: View, pagodas: tuple[int, ...]) -> Part:
    """How many pagodas each seat took back, if any."""
    each_seat = tuple(
        sentence("returned", seat=SeatName(seat), pagodas=sentence("pagodas", count=count))
        for seat, count in enumerate(pagodas)
        if count
    )
    return sentence("returned_all", all=each_seat) if each_seat else ""


def _turn(view: View, step: Turn) -> Sentence:
    """A turn, and the pagodas that the seat still has to place."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    pagodas = tuple(sentence("pagodas_left", count=view.supply[seat]) for seat in step.seats)
    return Sentence(asked.key, {**asked.parts, "pagodas": pagodas}, asked.rules)


SAYINGS: Sayings = {
    "color": word("color"),
    "former": person,
    "GameEnded.winners": who_wins,
    **same_effects("effect_space", "effect_tile"),
    "halves": each(_half),
    "kind": word("tile"),
    "kinds": each(word("tile")),
    "MajorCreated.pagodas": with_count("second_pagodas"),
    "pagodas": with_count("pagodas"),
    "province": _space,
    "provinces": each(_space),
    "reason": word("end"),
    "returned": _describe_returns,
    "ruins": each(_space),
    "spaces": each(_space),
    "supplies": each(with_count("pagodas")),
    "Turn": _turn,
    "village": _space,
    "touch_tile.a": word("tile"),
}
