"""Before the game: boards, tiles, event cards, and who begins."""

from __future__ import annotations

from domain.engine.dice import choose, shuffle
from domain.engine.play import Play, Seat
from domain.games.chang_cheng.board import AT_START, BOARDS, EVENT_CARDS
from domain.games.chang_cheng.events.course import BoardsLaid, EventCardsOpened, FirstPlayerChosen
from domain.games.chang_cheng.rules.emperor import place_tiles
from domain.games.chang_cheng.rules.turns import begin_turn
from domain.games.chang_cheng.state.steps import FirstTurn, NextTurn
from domain.games.chang_cheng.state.table import State


def begin(p: Play[State]) -> None:
    """Set the table up, and let the first turn begin: CC-2.1, CC-2.2, CC-2.4, CC-2.5."""
    _lay_boards(p)
    _open_event_cards(p)
    first = _choose_first_player(p)
    p.then(NextTurn(seat=first, opening=p.state.seats - 1))
    begin_turn(p, first, FirstTurn((first,)))


def _lay_boards(p: Play[State]) -> None:
    """Lay two boards, of the host or drawn, with a tile for each region: CC-2.1, CC-2.2."""
    boards = p.state.setup.boards
    if not boards:
        order = list(BOARDS)
        shuffle(p.dice, order)
        boards = tuple(order[:AT_START])
    p.emit(BoardsLaid(boards))
    for board in boards:
        place_tiles(p, board, "CC-2.2")


def _open_event_cards(p: Play[State]) -> None:
    """Draw event cards, if that option is on: CC-12.1, CC-2.5."""
    if p.state.setup.random_events:
        cards = list(EVENT_CARDS)
        shuffle(p.dice, cards)
        p.emit(EventCardsOpened(tuple(sorted(cards[: p.state.setup.random_events]))))


def _choose_first_player(p: Play[State]) -> Seat:
    """Take the seat that the host named, or draw one: CC-2.4."""
    first = p.state.setup.first_player
    if first is None:
        first = choose(p.dice, range(p.state.seats))
    p.emit(FirstPlayerChosen(first))
    return first
