"""Play a game of Qin without any service: decide on moves, look at events, print the board."""

from domain.engine.dice import Luck, choose
from domain.engine.game import awaited, decide, fold, legal_moves, new_state
from domain.games.qin import GAME


def main() -> None:
    """Two players who choose by chance."""
    setup = GAME.setup(GAME.options(board="lion"), 2)
    dice = Luck("an example")
    state = new_state(GAME, setup, 2, dice)
    while seats := awaited(state):
        move = choose(dice, legal_moves(GAME, state, seats[0]))
        events = decide(GAME, state, move, dice)  # the state stays as it is ...
        fold(state, events)  # ... until the events are folded into it
    print(GAME.text(GAME.view(state, None)))
    for line in GAME.scoring(state).lines:
        print(f"place {line.rank}: seat {line.seat}, {line.points} pagodas on the board")


if __name__ == "__main__":
    main()
