"""Every place where two players come together asks `service.accounts.people` whether they may."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.layout import ROOT

WITH_A_VIEWER = {
    "find", "find_invitations", "forks_of", "by_name", "by_id", "latest", "can_see", "viewing_seat",
    "find_active",
}  # fmt: skip
"""Functions that find players or matches, and ask nobody whether the viewer may meet them."""
PLACES = {
    # of `projections.lists.matches`, `Players` and `MatchCache` themselves
    "accounts/people/lookup.py": {"by_id", "by_name"},
    "accounts/people/visible_lists.py": {"find", "find_invitations", "forks_of"},
    "accounts/players.py": {"by_id", "by_name", "find_active"},
    "accounts/sessions.py": {"find_active"},  # of the caller
    "accounts/tokens.py": {"find"},  # a token
    "admin/": {"by_id", "by_name", "find", "latest"},  # operators see everything
    "api/accounts/account.py": {"by_name"},  # the caller's own name
    "api/accounts/people.py": {"by_id"},  # asks `may_meet` afterwards
    "api/accounts/standings.py": {"latest"},  # matches of a series, after its first one
    "api/matches/seats.py": {"latest"},  # after a seat was taken
    "api/matches/talk.py": {
        "latest"
    },  # whether the caller was replaced, who deletes their own words
    "channels/account_deletion.py": {"latest"},  # the account ends
    "channels/discord/context.py": {"latest"},  # words of a refusal
    "channels/discord/renderer.py": {"latest"},  # what the channel shows to all who read it
    "channels/mail/talk.py": {"latest"},  # a match in which they sit
    "channels/webhooks/messages/bodies.py": {"latest"},  # who holds a seat; asks `check_known`
    "http/problems.py": {"latest"},  # words of a refusal
    "matches/history_reader.py": {"latest"},  # for functions that ask
    "matches/match_cache.py": {"latest"},  # itself
    "talk/erasing.py": {"latest"},  # a job
    "tlog/checkpoint_signer.py": {"latest"},  # the last checkpoint
    "http/context.py": {"find_active"},  # of the caller
    "matches/commands.py": {"can_see", "latest"},  # `Metadata.authorize`
    "matches/queries.py": {"can_see", "latest", "viewing_seat"},  # `check_known`
    "live/match_stream.py": {"viewing_seat"},  # asks for strangers beside
    "page/views/match.py": {
        "can_see",
        "latest",
    },  # asks `check_known`, or `check_people` with a link
    "page/views/others.py": {"latest"},  # asks `may_know`
    "page/views/table.py": {"can_see"},  # of a match that was found for the visitor
    "page/visitor.py": {"by_id"},  # the visitor
}
"""Who may call them nevertheless, and why nobody meets there."""
OF_OTHER_THINGS = re.compile(
    r"(text|path|url|pattern|name|head|whole|tokens|known|analyses|picture_cache|drawing)\.find$"
)


def calls(folder: str = "service") -> Iterator[tuple[str, str]]:
    """Each call of such a function: the file, and its name."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                    called = ast.unparse(node.func) if name in WITH_A_VIEWER else ""
                    if called and not OF_OTHER_THINGS.search(called):
                        yield str(path.relative_to(ROOT / folder)), called


@pytest.mark.slow
def test_no_other_place_finds_players_or_tables_for_a_viewer() -> None:
    """If this fails with your new place, ask `service.accounts.people` there instead."""
    found = dict[str, set[str]]()
    for file, called in calls():
        place = next((one for one in PLACES if file.startswith(one)), file)
        found.setdefault(place, set()).add(called.rpartition(".")[2])
    found_elsewhere = {place: names - PLACES.get(place, set()) for place, names in found.items()}
    assert {place: names for place, names in found_elsewhere.items() if names} == {}
    assert found.keys() == PLACES.keys()


def test_every_invitation_asks() -> None:
    """Code that makes a chair for a certain player stands where the two were asked about."""
    places = {
        str(path.relative_to(ROOT))
        for folder in ("service", "domain/match")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"Chair\(\s*invited=", path.read_text())
    }
    assert places == {
        "domain/match/decisions/rematch.py",  # `play_again` asks
        "service/api/matches/matches.py",  # `find_invitee` asks
        "service/channels/discord/moves/table_setup.py",  # asks `may_meet`
    }
