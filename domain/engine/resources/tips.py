"""Tips: the rule behind each thing that players touch.

They are data in the file `tips.json` of a game: the number of a rule by kind of touch (`tile`), or
by the beginning of a name (`ability:keys`).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import msgspec

from domain.engine.resources.rulebook import Rulebook
from domain.engine.resources.texts import folder_of
from domain.engine.touches import Touch

Tips = Mapping[str, str]
FILE_NAME = "tips.json"


class BadTips(ValueError):
    """A tip names a rule that does not exist: one sentence with the file."""


def read(package: str, rules: Rulebook) -> Tips:
    """The tips in the folder of a game; none without a file. Raises BadTips."""
    file = files(package).joinpath(FILE_NAME)
    if not file.is_file():
        return {}
    tips = msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    for name, rule in tips.items():
        if rule not in rules.rules:
            raise BadTips(
                f"{folder_of(package)}/{FILE_NAME}: RULES.md has no rule {rule} (`{name}`)."
            )
    return tips


def find_rule(tips: Tips, touch: Touch) -> str | None:
    """The rule behind a touch: that of the longest beginning of its name which has one."""
    name: str = touch
    while name not in tips and ":" in name:
        name = name.rpartition(":")[0]
    return tips.get(name)
