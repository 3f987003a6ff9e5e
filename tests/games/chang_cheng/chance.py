"""CC-2.1 to CC-2.4, CC-8.3, CC-12.1: boards, tiles, event cards, and a random first player."""

from collections import Counter

from domain.games.chang_cheng.board import BOARDS, EVENT_CARDS
from domain.games.chang_cheng.events.course import (
    BoardsLaid,
    EventCardsOpened,
    FirstPlayerChosen,
    TilesPlaced,
)
from domain.games.chang_cheng.state.table import NO_TILE
from tests.games.chances import Chance, Draw, one_of_each

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


def draws_of(event):
    match event:
        case FirstPlayerChosen(seat=seat):
            yield Draw("seats", seat)
        case BoardsLaid(boards=boards):
            yield from (Draw("boards", board, f"{n}") for n, board in enumerate(boards))
        case EventCardsOpened(cards=cards):
            yield from (Draw("event cards", card) for card in cards)
        case TilesPlaced(prestige=prestige, threats=threats):
            yield from (Draw("prestige", value, f"{n}") for n, value in enumerate(prestige))
            yield from (Draw("threats", loss, f"{n}") for n, loss in enumerate(threats))


def count_left(state):
    """Count the tiles that neither lie on the table nor left it."""
    prestige = Counter(value for value in state.prestige if value != NO_TILE)
    threats = Counter(filter(None, state.threats))
    return {"prestige": PRESTIGE - prestige, "threats": THREATS - threats}


CHANCE = Chance(bags, draws_of, count_left, options={"events": "random"})
