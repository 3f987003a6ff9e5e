"""No rule of the styles makes the browser work for each part of a picture, of which a page has
thousands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from service.page.assets import ASSETS

STYLES = {name: one.content.decode() for name, one in ASSETS.items() if name.endswith(".css")}
SCRIPTS = [one.content.decode() for name, one in ASSETS.items() if name.endswith(".js")]
RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")
MOTION = re.compile(r"(?:animation|transition)(?:-name)?: ?(?!none|more)")
"""Begins a motion; how far one has scrolled is none, and decides the animation `more`."""
NO_MOTION = "animation:none!important"


def split(selector: str, at: str) -> list[str]:
    """The parts of a selector between these characters, which are in no brackets."""
    parts, depth = [""], 0
    for one in selector.strip():
        depth += (one in "([") - (one in ")]")
        if one in at and not depth:
            parts.append("")
        else:
            parts[-1] += one
    return [part.strip() for part in parts if part.strip()]


def rules() -> Iterator[tuple[str, str]]:
    """Each selector with its declarations."""
    for text in STYLES.values():
        for selectors, declarations in RULE.findall(text):
            for selector in split(selectors, ","):
                yield selector, declarations


def test_no_rule_is_about_the_pseudo_elements_of_everything() -> None:
    """With one, the browser works out up to three styles for each element instead of one."""
    subjects = {split(selector, " >+~")[-1] for selector, _ in rules()}
    assert not {one for one in subjects if re.match(r"\*?::(before|after)", one)}


def test_what_is_somewhere_on_the_page_decides_only_the_style_of_named_elements() -> None:
    """With `#match:has(.can-touch) [data-at]`, each light would give all things a new style."""
    for selector, _ in rules():
        parts = split(selector, " >+~")
        last = max((at for at, part in enumerate(parts) if ":has(" in part), default=len(parts))
        after = parts[last + 1 :]
        assert not after or any("#" in part for part in after), selector


def test_what_scripts_set_is_not_inherited() -> None:
    """Else all parts of a picture get a new style when it is brought closer."""
    names = {name for one in SCRIPTS for name in re.findall(r'setProperty\("(--[\w-]+)"', one)}
    own = re.findall(r"@property (--[\w-]+) ?\{[^}]*inherits: ?false", STYLES["match.css"])
    assert names == set(own)
    assert names


def test_reduced_motion_ends_each_animation() -> None:
    """Those that end are named, since a rule for everything would be one for each part."""
    moving = {split(one, " >+~")[-1] for one, declared in rules() if MOTION.search(declared)}
    ended = [one for one, declared in rules() if NO_MOTION in declared.replace(" ", "")]
    assert moving
    for selector in ended:
        names = set(re.findall(r"\.[\w-]+", selector))
        assert {one for one in moving if names.isdisjoint(re.findall(r"\.[\w-]+", one))} == set()
    assert len(ended) == 2  # as the player has chosen, and their device
