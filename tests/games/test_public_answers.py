"""The mark of steps whose moves all players know, tried with a step that does not deserve it."""

from __future__ import annotations

import pytest

from tests.engine.toy import GAME as TOY
from tests.engine.toy.state.steps import Choose
from tests.games.every_secret import public_answers_depend_on_nothing_hidden


def test_a_step_whose_moves_follow_from_a_hand_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A seat seals a card of its hand."""
    monkeypatch.setattr(Choose, "public_answers", True)
    with pytest.raises(AssertionError):
        public_answers_depend_on_nothing_hidden(TOY, 3)
