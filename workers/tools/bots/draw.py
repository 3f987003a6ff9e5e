"""`annals draw`: draws a game after some random moves, to look at its picture without a service."""

from __future__ import annotations

import click

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Game, Json, advance, new_state, random_move, seats_to_move
from domain.engine.play import S
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from workers.tools.bots.arena import read_options


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option("--as", "viewer", type=click.IntRange(0), help="Seat to look from.")
@click.option("--seats", type=click.IntRange(1), help="Number of seats.  [default: the fewest]")
@click.option("--moves", default=10, show_default=True, type=click.IntRange(0))
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same picture.")
@click.option("--options", multiple=True, metavar="NAME=VALUE", help="Options such as board=lion.")
@click.option("--language", default="en", show_default=True, type=click.Choice([*LANGUAGES]))
@click.option("--text", is_flag=True, help="Draw it as text.")
def draw(
    game: str,
    viewer: int | None,
    seats: int | None,
    moves: int,
    seed: int,
    options: tuple[str, ...],
    language: str,
    text: bool,
) -> None:
    """Draw GAME after some random moves: `annals draw qin --as 0 > board.svg`.

    Without --as you see what a spectator sees.
    """
    drawn = GAMES[game]
    count = seats or drawn.seats.start
    if viewer is not None and viewer >= count:
        raise click.BadParameter(f"The seats of this table are 0 to {count - 1}.")
    state = play(drawn, read_options(drawn, options, count), count, moves, seed)
    render = drawn.render_text if text else drawn.render_svg
    click.echo(render(drawn.view(state, viewer), drawn.words(language)))


def play(game: Game[S], options: Json, seats: int, moves: int, seed: int) -> S:
    """The state of a new game after some random moves, fewer if it ends."""
    dice = Luck(seed)
    state = new_state(game, game.setup(json_codec.read_options(game, options), seats), seats, dice)
    for _ in range(moves):
        if waiting := seats_to_move(state):
            advance(game, state, random_move(game, state, waiting[0], dice), dice)
    return state
