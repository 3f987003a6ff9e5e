"""How much script the pages load, and what the guide says of it."""

from __future__ import annotations

from service.http.guides import SHIPPED_FOLDER
from service.page.assets import ASSETS, JAVASCRIPT, list_imports

TABLE_SCRIPT = 79_000
"""Maximum size of the modules of the match page, in bytes without comments and spaces."""
ADMIN_SCRIPT = 3_000
"""Maximum size of the module of the operator's page, which no other page loads."""
PEOPLE_SCRIPT = 1_200
"""Maximum size of the module of profiles and of the lists of players, which no other page loads."""
FRAME_SCRIPT = 36_000
"""The same for all our other modules."""
SENT_SCRIPT = 51_000
"""Maximum size of all these but those of operators and of profiles, compressed."""
OF_TABLE = "match/"
"""The folder of the modules of the match page; all others belong to every page."""


def test_own_script_is_small() -> None:
    own = {
        name: len(asset.content)
        for name, asset in ASSETS.items()
        if asset.media_type == JAVASCRIPT and not name.startswith("vendor/")
    }
    table = sum(size for name, size in own.items() if name.startswith(OF_TABLE))
    admin, people = own["admin/admin.js"], own["people/people.js"]
    assert table <= TABLE_SCRIPT, own
    assert admin <= ADMIN_SCRIPT, own
    assert people <= PEOPLE_SCRIPT, own
    assert sum(own.values()) - table - admin - people <= FRAME_SCRIPT, own
    on_all_pages = own.keys() - {"admin/admin.js", "people/people.js"}
    sent = [len(ASSETS[name].gzipped or b"") for name in on_all_pages]
    assert sum(sent) <= SENT_SCRIPT


def test_the_guide_says_how_much_script_a_page_has() -> None:
    loaded = (TABLE_SCRIPT + FRAME_SCRIPT) // 1000
    said = f"under {loaded} kB minified and under {SENT_SCRIPT // 1000} kB as sent"
    assert said in read_doc("page.md")
    modules = {"match/match.js", *list_imports("match/match.js")}
    assert f"the {len(modules)} modules take" in read_doc("screens.md")


def read_doc(name: str) -> str:
    return (SHIPPED_FOLDER / "docs" / name).read_text(encoding="utf-8")
