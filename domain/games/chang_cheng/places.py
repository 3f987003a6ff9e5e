"""How players read the places of the wall: by the signs that pictures show."""

from __future__ import annotations

from domain.engine.sentences import Part, Sentence, sentence
from domain.games.chang_cheng.board import BOARD_NUMBER


def board_name(name: str) -> Part:
    """A board by its sign, such as `II`; another text as it is."""
    return Sentence(f"board_{name}") if name in BOARD_NUMBER else name


def place_name(name: str) -> Part:
    """A cell or a region by its sign and that of its board (`II·C2`); other texts as they are."""
    board, _, place = name.partition(":")
    if board not in BOARD_NUMBER:
        return name
    kind = "cell" if place.isdecimal() else "region"
    return sentence(f"place_{kind}", board=board_name(board), place=place)


def place_names(*names: str) -> tuple[Part, ...]:
    """Several cells and regions."""
    return tuple(map(place_name, names))
