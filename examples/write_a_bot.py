"""Write a bot: say what is good, and let the engine search. It plays against Li Mu, the weakest."""

from domain.engine.bots import greedy, sight_of
from domain.engine.dice import Luck
from domain.engine.game import advance, awaited, begin
from domain.games.qin import GAME

MATCHES = 10


def stingy(state, seat: int) -> float:
    """The fewer pagodas I have left beside those of the others, the better."""
    rivals = [left for other, left in enumerate(state.supply) if other != seat]
    return min(rivals) - state.supply[seat]


def play(bots: list, luck: Luck) -> tuple[int, ...]:
    """One match between these bots, by seat; who won it."""
    setup = GAME.setup(GAME.options(), len(bots))
    state = GAME.blank(setup, len(bots))
    for event in begin(GAME, setup, len(bots), luck):
        event.apply(state)
    while seats := awaited(state):
        sight = sight_of(GAME, state, seats[0], luck)  # what the bot may know, and no more
        advance(GAME, state, bots[seats[0]](sight), luck)
    return GAME.scoring(state).winners


def main() -> None:
    """Several matches, the seats in turn."""
    mine, weakest = greedy(stingy), GAME.levels[0]
    won = 0
    for number in range(MATCHES):
        seat = number % 2
        bots = [mine, weakest.bot] if seat == 0 else [weakest.bot, mine]
        won += seat in play(bots, Luck(number))
    name = GAME.bots("en")[weakest.key]
    print(f"won {won} of {MATCHES} against {name}")


if __name__ == "__main__":
    main()
