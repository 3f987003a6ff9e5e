"""Write a bot: evaluate positions, and let the engine search. It plays Li Mu, the weakest bot."""

import annals  # noqa: F401 - makes `domain` importable where only the wheel is installed
from domain.engine.bots import bot_view, greedy_bot
from domain.engine.dice import Luck
from domain.engine.game import advance, begin, seats_to_move
from domain.games.qin import GAME

MATCHES = 10


def stingy(state, seat: int) -> float:
    """Return how many fewer pagodas the seat has left than the best other seat."""
    rivals = [left for other, left in enumerate(state.supply) if other != seat]
    return min(rivals) - state.supply[seat]


def play(bots: list, luck: Luck) -> tuple[int, ...]:
    """Play one match between bots, by seat; return the seats that won."""
    setup = GAME.setup(GAME.options(), len(bots))
    state = GAME.blank_state(setup, len(bots))
    for event in begin(GAME, setup, len(bots), luck):
        event.apply(state)
    while seats := seats_to_move(state):
        view = bot_view(GAME, state, seats[0], luck)  # what the bot may know, and no more
        advance(GAME, state, bots[seats[0]](view), luck)
    return GAME.scoring(state).winners


def main() -> None:
    """Play several matches with alternating seats."""
    mine, weakest = greedy_bot(stingy), GAME.levels[0]
    won = 0
    for number in range(MATCHES):
        seat = number % 2
        bots = [mine, weakest.bot] if seat == 0 else [weakest.bot, mine]
        won += seat in play(bots, Luck(number))
    name = GAME.bot_names("en")[weakest.key]
    print(f"won {won} of {MATCHES} against {name}")


if __name__ == "__main__":
    main()
