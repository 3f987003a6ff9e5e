"""Caches that a number of entries bounds take less than a megabyte, as docs/hosting.md says."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from bench.load.matches import play_in_memory
from domain.engine.drawing import layout, svg, terminal_width
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from projections.core import summary as summaries
from projections.core.summary import fold_entry
from service.drawing.charts import text_metrics
from service.front import asgi_adapter
from service.http import rate_limit
from tests.architecture.test_caches_have_a_bound import MAX_KB
from tests.games.test_cache_sizes import measure

pytestmark = pytest.mark.slow
MOVES, NUMBERS = 40, range(100)
BYTES_PER_KB = 1_000


@pytest.fixture(scope="module")
def filled() -> None:
    """They have some entries, as large as those of matches of all games."""
    for game in GAMES.values():
        summary, match = None, None
        for match, entry, _ in islice(play_in_memory(game.key, game), MOVES):
            summary = fold_entry(summary, match.id, entry)
        assert match
        assert summary
        summaries._players_involved(summary.host, summary.seats)
        for language in LANGUAGES:
            words = game.words(language)
            game.render_svg(game.view(match.state, 0), words)
            for text in words.texts.values():
                terminal_width.wrap(str(text))
    for number in NUMBERS:
        rate_limit.network_of(f"2001:db8:{number:x}:{number:x}::{number:x}")
        asgi_adapter._wsgi_name(b"x-a-header-with-a-long-name-%d" % number)
        text_metrics._ems(chr(0x4E00 + number))


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    "cached",
    [
        asgi_adapter._wsgi_name,
        layout._lay_out,
        rate_limit.network_of,
        summaries._players_involved,
        svg._attribute,
        svg._outline,
        terminal_width._wrap,
        text_metrics._ems,
    ],
    ids=lambda cached: cached.__name__,
)
def test_a_full_cache_takes_less_than_a_megabyte(cached: Any) -> None:
    known = cached.cache_info()
    each = measure(cached, set()) / known.currsize
    assert each * known.maxsize < MAX_KB * BYTES_PER_KB
