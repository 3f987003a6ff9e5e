"""Tips: the rule behind each thing that players touch, from the folder of a game."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from domain.engine.resources import tips
from domain.engine.resources.tips import BadTips, find_rule
from domain.engine.touches import Touch
from tests.engine.toy import GAME
from tests.support.for_each import for_each

TOY = Path(__file__).with_name("toy")


@for_each(
    ("name", "rule"),
    [
        ("pass", "T-1.1"),
        ("ability:keys", "T-2.2"),
        ("ability:keys:3", "T-2.2"),
        ("ability:keyset", "T-2.1"),
        ("ability", "T-2.1"),
        ("passage", None),
        ("row:3", None),
    ],
)
def test_the_longest_beginning_of_a_name_decides(name: str, rule: str | None) -> None:
    known = {"pass": "T-1.1", "ability": "T-2.1", "ability:keys": "T-2.2"}
    assert find_rule(known, Touch(name)) == rule


def test_a_game_without_tips_has_none() -> None:
    assert tips.read("tests.engine.toy.rules", GAME.rulebook) == {}


def test_a_tip_with_a_rule_that_does_not_exist_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    folder = Path(shutil.copytree(TOY, tmp_path / "tipless"))
    (folder / "tips.json").write_text(json.dumps({"card": "TOY-2.2", "seat": "TOY-9.9"}))
    with pytest.raises(BadTips, match=r"tipless/tips.json: RULES.md has no rule TOY-9.9"):
        tips.read("tipless", GAME.rulebook)
