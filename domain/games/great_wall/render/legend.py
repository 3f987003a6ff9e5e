"""What the signs of the picture stand for."""

from __future__ import annotations

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.svg import group
from domain.engine.sentences import Words
from domain.games.great_wall.render import letters, signs

COLUMNS, LINE = 2, 24
NAMES = {
    "wood": "resource_wood",
    "stone": "resource_stone",
    "gold": "resource_gold",
    "chi": "resource_chi",
    "any": "sign_any",
    "any_wsg": "sign_any_wsg",
    "honor": "sign_honor",
    "shame": "shame_icon",
    "tactics": "card_tactic",
    "command": "card_command",
    "spearman": "soldier_spearman",
    "archer": "soldier_archer",
    "horseman": "soldier_horseman",
    "clerk": "cost_clerk",
    "life": "cost_life",
    "power": "sign_power",
    "defense": "sign_defense",
    "lethality": "sign_lethality",
    "wall": "sign_wall",
    "barricade": "cost_barricade",
    "horde": "sign_horde",
}
"""By icon, the key of the text that says what it stands for."""


def panel(words: Words, across: float) -> Panel:
    """All icons with their words, and a price tag."""
    step = across / COLUMNS
    entries = [(signs.icon(name, 12), words(key)) for name, key in NAMES.items()]
    said = words("sign_price")
    entries.append((group(signs.tag(18), at=(3, 0)), said))
    shapes = [
        group(
            group(drawn, at=(0, LINE / 2)),
            letters.small(28, LINE / 2 + 5, said),
            at=(number % COLUMNS * step, number // COLUMNS * LINE),
        )
        for number, (drawn, said) in enumerate(entries)
    ]
    rows = -(-len(entries) // COLUMNS)
    return plain_panel(words, "legend", (across, rows * LINE), shapes, folds=True)
