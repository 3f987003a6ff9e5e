"""`annals draw`: a picture of a game without a service."""

from __future__ import annotations

from click.testing import CliRunner

from domain.games import GAMES
from workers.tools.bots.draw import draw, play


def test_a_seat_sees_its_hand_and_a_spectator_does_not() -> None:
    own, public = (call("--as", "0", "--text"), call("--text"))
    game = GAMES["qin"]
    view = game.view(play(game, {}, 2, 10, 1), 0)
    assert own == game.render_text(view, game.words()) + "\n"
    assert public != own


def test_it_is_drawn_as_a_picture_in_each_language() -> None:
    picture = call("--as", "1", "--seats", "3", "--language", "zh-Hant", "--moves", "1000")
    assert picture.startswith("<svg")
    assert "\u79e6" in picture


def test_a_seat_that_the_table_lacks_is_refused() -> None:
    said = CliRunner().invoke(draw, ["qin", "--as", "2"])
    assert said.exit_code == 2
    assert "The seats of this table are 0 to 1." in said.output


def call(*arguments: str) -> str:
    """What the command prints for Qin."""
    done = CliRunner().invoke(draw, ["qin", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output
