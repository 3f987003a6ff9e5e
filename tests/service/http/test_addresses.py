"""Addresses: which texts in a path are ids of matches."""

from __future__ import annotations

import pytest
from werkzeug.exceptions import NotFound
from werkzeug.routing import Map, Rule

from service.http.addresses import MatchId

ROUTES = Map(
    [Rule("/matches/<match_id:match_id>", endpoint="match")], converters={"match_id": MatchId}
).bind("example.com")


@pytest.mark.parametrize("text", ["a", "0", "3k9-x", "a-", "a" * 64])
def test_the_id_of_a_match_is_found(text: str) -> None:
    assert ROUTES.match(f"/matches/{text}") == ("match", {"match_id": text})


@pytest.mark.parametrize("text", ["", "A", "-a", "a_b", "a/b", "a.svg", "a\n", "٣", "a" * 65])
def test_another_text_leads_nowhere(text: str) -> None:
    with pytest.raises(NotFound):
        ROUTES.match(f"/matches/{text}")
