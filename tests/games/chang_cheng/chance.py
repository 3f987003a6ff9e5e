"""CC-2.1 to CC-2.4, CC-8.3, CC-12.1: boards, tiles, event cards, and somebody begins."""

from collections import Counter

from domain.games.chang_cheng.board import BOARDS, EVENT_CARDS
from domain.games.chang_cheng.events.course import (
    BoardsLaid,
    EventCardsOpened,
    FirstPlayerChosen,
    TilesPlaced,
)
from domain.games.chang_cheng.state.table import NO_TILE
from tests.games.chances import Chance, Drawn, one_of_each

PRESTIGE = Counter(dict.fromkeys(range(5), 3))
THREATS = Counter(dict.fromkeys((2, 3, 4), 5))


def bags(setup, seats):
    return {
        "seats": one_of_each(range(seats)),
        "boards": one_of_each(setup.boards or BOARDS),
        "event cards": one_of_each(setup.events or EVENT_CARDS),
        "prestige": PRESTIGE.copy(),
        "threats": THREATS.copy(),
    }


def drawn(event):
    match event:
        case FirstPlayerChosen(seat=seat):
            yield Drawn("seats", seat)
        case BoardsLaid(boards=boards):
            yield from (Drawn("boards", board, f"{n}") for n, board in enumerate(boards))
        case EventCardsOpened(cards=cards):
            yield from (Drawn("event cards", card) for card in cards)
        case TilesPlaced(prestige=prestige, threats=threats):
            yield from (Drawn("prestige", value, f"{n}") for n, value in enumerate(prestige))
            yield from (Drawn("threats", loss, f"{n}") for n, loss in enumerate(threats))


def left(state):
    """What no tile shows that lies on the table, or lay there."""
    prestige = Counter(value for value in state.prestige if value != NO_TILE)
    threats = Counter(filter(None, state.threats))
    return {"prestige": PRESTIGE - prestige, "threats": THREATS - threats}


CHANCE = Chance(bags, drawn, left, options={"events": "random"})
