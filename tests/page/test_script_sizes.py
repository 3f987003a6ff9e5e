"""How much script the pages load, and what the guide says of it."""

from __future__ import annotations

from service.http.guides import SHIPPED_FOLDER
from service.page.assets import ASSETS, JAVASCRIPT, list_imports

TABLE_SCRIPT = 80_400
"""Maximum size of the modules of the match page, in bytes without comments and spaces."""
ADMIN_SCRIPT = 3_000
"""Maximum size of the module of the operator's page, which no other page loads."""
TALK_SCRIPT = 4_500
"""Maximum size of the module of talk, which a match loads once its panel opens."""
UNREAD_SCRIPT = 1_300
"""Maximum size of the module that counts talk, which a match loads once it has loaded itself."""
PEOPLE_SCRIPT = 1_200
"""Maximum size of the module of profiles and of the lists of players, which no other page loads."""
NOTICES_SCRIPT = 1_000
"""Maximum size of the module of notices and of the address for mail, which only settings load."""
PUSH_SCRIPT = 2_600
"""Maximum size of the modules of push messages: what settings load, and the service worker."""
ON_DEMAND = {
    "admin/admin.js": ADMIN_SCRIPT, "people/people.js": PEOPLE_SCRIPT, "talk/talk.js": TALK_SCRIPT,
    "talk/unread.js": UNREAD_SCRIPT, "settings/notices.js": NOTICES_SCRIPT,
    **dict.fromkeys(("push/push.js", "push/switch.js", "push/sw.js"), PUSH_SCRIPT),
}  # fmt: skip
"""Modules that a match does not load by itself."""
FRAME_SCRIPT = 37_500
"""The same for all our other modules."""
SENT_SCRIPT = 52_000
"""Maximum size of all these but those in ON_DEMAND, compressed."""
OF_TABLE = "match/"
"""The folder of the modules of the match page; all others belong to every page."""


def test_own_script_is_small() -> None:
    own = {
        name: len(asset.content)
        for name, asset in ASSETS.items()
        if asset.media_type == JAVASCRIPT and not name.startswith("vendor/")
    }
    table = sum(size for name, size in own.items() if name.startswith(OF_TABLE))
    assert table <= TABLE_SCRIPT, own
    for name, most in ON_DEMAND.items():
        assert own[name] <= most, own
    assert sum(own.values()) - table - sum(own[name] for name in ON_DEMAND) <= FRAME_SCRIPT, own
    sent = [len(ASSETS[name].gzipped or b"") for name in own if name not in ON_DEMAND]
    assert sum(sent) <= SENT_SCRIPT


def test_the_guide_says_how_much_script_a_page_has() -> None:
    loaded = (TABLE_SCRIPT + FRAME_SCRIPT) // 1000
    said = f"under {loaded} kB minified and under {SENT_SCRIPT // 1000} kB as sent"
    assert said in read_doc("page.md")
    modules = {"match/match.js", *list_imports("match/match.js")}
    assert f"the {len(modules)} modules take" in read_doc("screens.md")


def read_doc(name: str) -> str:
    return (SHIPPED_FOLDER / "docs" / name).read_text(encoding="utf-8")
