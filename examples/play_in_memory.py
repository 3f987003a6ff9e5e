"""Play a game of Qin without a service: decide moves, fold events, print the board."""

import annals  # noqa: F401 - makes `domain` importable where only the wheel is installed
from domain.engine.dice import Luck, choose
from domain.engine.game import decide, fold, legal_moves, new_state, seats_to_move
from domain.games.qin import GAME


def main() -> None:
    """Let two players choose at random."""
    setup = GAME.setup(GAME.options(board="lion"), 2)
    dice = Luck("an example")
    state = new_state(GAME, setup, 2, dice)
    while seats := seats_to_move(state):
        move = choose(dice, legal_moves(GAME, state, seats[0]))
        events = decide(GAME, state, move, dice)  # `state` is unchanged
        fold(state, events)  # now it is the state after the move
    print(GAME.render_text(GAME.view(state, None), GAME.words()))
    for line in GAME.scoring(state).lines:
        print(f"place {line.rank}: seat {line.seat}, {line.points} pagodas on the board")


if __name__ == "__main__":
    main()
