"""Undo and redo in Discord, by the consent of the other player."""

from __future__ import annotations

from tests.discord.people import text
from tests.service.channels.discord.conftest import DiscordHarness, Guest
from tests.service.channels.discord.test_playing import (
    make_random_move,
    mover_of,
    newest,
    open_card,
)


def test_an_undone_move_is_restored_after_another_one(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    match_id = text(card).split("`")[1]
    mover = mover_of(card, ada, ben)
    other, name = (ben, "Ada") if mover is ada else (ada, "Ben")
    make_random_move(mover, card, 1)
    asked = mover.says("undo")
    assert f"{name} asks to undo their last move. The other players must agree." in text(asked)
    make_random_move(mover, other.presses(asked, "Agree"), 2)
    asked = mover.says("redo", move=3)
    assert f"{name} asks to redo their undone move instead of the last move." in text(asked)
    assert mover_of(other.presses(asked, "Agree"), ada, ben) is other
    line = harness.annals.matches.latest(match_id).line
    assert [point.version for point in line] == [2, 3]
    assert "is on no line that was undone" in text(mover.says("redo", move=2))
    assert newest(harness)
