"""A picture that no painter draws in time keeps nobody waiting: the card has the board as text."""

from __future__ import annotations

import pytest

from service.drawing.pictures import cache
from service.drawing.pictures.painter import DrawingFailed
from service.runtime.errors import PaintersBusy
from tests.discord.people import text
from tests.service.channels.discord.conftest import DiscordHarness, Guest


@pytest.mark.parametrize("error", [PaintersBusy("Late."), DrawingFailed("No.")], ids=repr)
def test_a_card_without_its_picture_has_the_board_as_text(
    ada: Guest, ben: Guest, harness: DiscordHarness, monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:  # fmt: skip
    def fail(*_: object) -> bytes:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(cache.PictureCache, "draw", fail)
        card = ben.presses(ada.says("new", game="qin", seats=2), "Join")
    assert not card["attachments"]
    assert "```" in text(card)
    assert ada.says("hand")["attachments"], "the next card has a picture again"
