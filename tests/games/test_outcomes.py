"""Who won and why is true, in every game, mode and language: it follows from the score."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.sentences import LANGUAGES, Words, capitalize
from domain.games import GAMES
from domain.match.decisions import ending
from domain.match.outcome import MAX_GAINS, Outcome, outcome_of, parts_of_points
from domain.match.sentences import outcome, texts_of
from domain.match.state import Match
from tests.games.modes import ALL, tables
from tests.games.record import record
from tests.match.table import Table

TABLES = [
    pytest.param(table.game, table.seats, id=table.id, marks=pytest.mark.xdist_group(table.id))
    for table in tables(ALL)
]
MAX_NAMED = MAX_GAINS + 1
NAMES = ("Ada", "Ben", "Cid", "Dot", "Eve")
SOME, MANY = range(2), range(2, 20)
"""The seeds of random games."""


def scored(game: Any, seats: int, seed: int) -> Match:
    """A match with the end of a random game, scored; in every second one the last of several seats
    has resigned.
    """
    played = record(game, seats, seed)
    match = Table(" ".join(NAMES[:seats]), game=game).match.copy()
    match.state, match.setup = played.end, played.setup
    match.status, match.end_reason = "ended", "rules"
    if seed % 2 and seats > 1:
        match.chairs[-1] = replace(match.chairs[-1], resigned=True)
    match.scoring = ending.final_scoring(match)
    return match


def say(match: Match, language: str) -> str:
    spoken = outcome(match)
    assert spoken
    return Words(texts_of(match, language), NAMES).line(spoken)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("seeds", [SOME, pytest.param(MANY, marks=pytest.mark.long)])
def test_the_named_winner_and_the_largest_category_are_true(
    game: Any, seats: int, seeds: range
) -> None:
    for seed in seeds:
        match = scored(game, seats, seed)
        found, scoring = outcome_of(match), match.scoring
        assert found
        assert scoring
        for line in scoring.lines:
            if scoring.won is None or scoring.rivals:
                assert sum(game.score_parts.of(line).values()) == line.points
        if scoring.won is None:
            assert_winner(match, found)
        else:
            assert found.winners == (tuple(range(seats)) if scoring.won else ())
        if found.category:
            [best] = found.winners or [0]
            parts = game.score_parts.of(scoring.lines[best])
            assert parts[found.category.key] == found.category.points == max(parts.values())


def assert_winner(match: Match, found: Outcome) -> None:
    """The winners have the best score of those that did not resign, and so much more than the next
    as the outcome says.
    """
    assert match.scoring
    lines = [line for line in match.scoring.lines if not match.chairs[line.seat].resigned]
    best = [line for line in lines if line.rank == 1]
    assert found.winners == tuple(line.seat for line in best)
    assert {line.points for line in best} == {found.points}
    behind = [line for line in lines if line.rank > 1]
    if not behind:
        assert (found.lead, found.runners_up, found.tie_break) == (None, (), False)
        return
    assert found.points is not None
    assert found.lead == found.points - max(line.points for line in behind)
    assert found.tie_break == (found.lead == 0)
    assert all(line.rank >= match.scoring.lines[found.runners_up[0]].rank for line in behind)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("seeds", [SOME, pytest.param(MANY, marks=pytest.mark.long)])
def test_every_language_says_it_with_the_names_and_numbers(
    game: Any, seats: int, seeds: range
) -> None:
    """The winners come first, then their points, the category and the lead; no text is missing."""
    matches = (scored(game, seats, seed) for seed in seeds)
    for match, language in product(matches, LANGUAGES):
        found, said = outcome_of(match), say(match, language)
        assert found
        assert match.scoring
        texts = texts_of(match, language)
        assert not set("{}_") & set(said), said
        assert texts[f"end_{match.scoring.reason}"] in said
        if match.scoring.won is None:
            assert said.startswith(NAMES[found.winners[0]])
            numbers = [found.points, found.lead or found.points]
            assert all(str(number) in said for number in numbers), said
            if found.category:
                assert texts[f"score_{found.category.key}"] in said
                assert_parts_add_up(match, said)
        if any(chair.resigned for chair in match.chairs):
            resigned = texts["seats_resigned"].format(seats=NAMES[seats - 1])
            assert resigned in said


def assert_parts_add_up(match: Match, said: str) -> None:
    """The numbers of the parts that a sentence names are the points together; a game in which one
    part counts names no numbers of parts.
    """
    assert match.scoring
    [winner] = match.scoring.winners
    line = match.scoring.lines[winner]
    parts = parts_of_points(match, line)
    assert sum(one.points for one in parts.named) + parts.others == line.points
    assert len(parts.named) <= MAX_NAMED + sum(one.points < 0 for one in parts.named)
    if match.game.score_parts.only:
        return
    numbers = [one.points for one in parts.named] + [parts.others] * bool(parts.others)
    assert all(str(number).replace("-", "\u2212") in said for number in numbers), said


def test_losses_stand_beside_gains() -> None:
    """Some random game of Chang Cheng is won by a player who lost points to the Mongols."""
    game = GAMES["chang_cheng"]
    matches = (scored(game, 2, seed) for seed in range(0, 12, 2))
    told = (
        (match, say(match, "en"))
        for match in matches
        if len(match.scoring.winners) == 1  # type: ignore[union-attr]  # it is scored
    )
    found = (re.search(r"regions (\d+).* invasion \u2212(\d+)", said) for _, said in told)
    assert any(found)


def test_a_tie_that_a_rule_decides_names_the_rule() -> None:
    """Some random game ends in one."""
    ties = (
        say(match, "en")
        for seed, game in product(range(0, 12, 2), ALL)
        if game.score_parts.tie_break
        for match in [scored(game, game.seats[-1], seed)]
        if (found := outcome_of(match)) and found.tie_break
    )
    assert "(tie-break: " in next(ties)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_winner_is_addressed(game: Any, seats: int) -> None:
    match = scored(game, seats, 0)
    spoken, found = outcome(match), outcome_of(match)
    assert spoken
    assert found
    for language, seat in product(LANGUAGES, found.winners[:1]):
        words = Words(texts_of(match, language), NAMES)
        named, own = words.line(spoken), words.addressing(seat).line(spoken)
        if NAMES[seat] in named:  # a table that plays together is not named
            assert own == capitalize(named.replace(NAMES[seat], words.texts["you"])), own
