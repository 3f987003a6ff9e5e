"""Each member and item of a bundle counts: without it, with null or another value in its place, or
with an item twice, both verifiers name what is wrong, or call a step open. Of items alike, the
first and the last are damaged, and all in `make test-long`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from operator import setitem
from typing import Any, NamedTuple

import pytest

from domain.audit.errors import Unproven
from domain.match.decisions import ending
from service.matches.container import Annals
from service.tlog.checkpoint_signer import CheckpointSigner
from tests.service.api.bundles import (
    Bundle,
    corrupt,
    export_bundle,
    second_verdicts,
    verdict,
)
from tests.service.api.conftest import Api, Clock, open_table, play_on, system
from tests.service.api.test_log import annals, folder, notary  # noqa: F401 - fixtures

NONCE, OTHER = "ab" * 32, "cd" * 32
Path = tuple[str | int, ...]
"""The members and items that lead to a value in a bundle."""


class Damage(NamedTuple):
    """A damaged bundle, and where the damage is."""

    what: str
    path: Path
    bundle: Bundle


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of each value within a value."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from paths(value[key], (*path, key))


def others(value: Any) -> Iterator[Any]:
    """Other values of the same kind."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        yield from (f"{value}0", value[:-1], f"{value[1:]}{value[:1]}")
        yield from ("\n".join(some) for some in without_each(value.split("\n")))
    elif isinstance(value, dict):
        yield from ({**value, "more": 1}, {})
    elif isinstance(value, list):
        yield from ([*value, 1], [*value, *value], [])
    else:
        yield from (0, "", {}, [])


def without_each(items: list[str]) -> Iterator[list[str]]:
    """The items without one of them; an only one stays."""
    if len(items) > 1:
        yield from (items[:place] + items[place + 1 :] for place in range(len(items)))


def ends(found: Iterator[Path]) -> list[Path]:
    """Of the paths that differ only in the places of items, the first and the last."""
    alike: dict[tuple[object, ...], list[Path]] = {}
    for path in found:
        names = tuple(key if isinstance(key, str) else int for key in path)
        alike.setdefault(names, []).append(path)
    return [path for some in alike.values() for path in dict.fromkeys((some[0], some[-1]))]


def damages(bundle: Bundle, is_whole: bool) -> Iterator[Damage]:
    """The paths of the bundle with every damage."""
    for path in paths(bundle) if is_whole else ends(paths(bundle)):
        *above, key = path
        value = value_at(bundle, path)
        yield Damage("removed", path, change(bundle, above, lambda at, key=key: at.pop(key)))
        if isinstance(key, int):
            twice = change(bundle, above, lambda at, key=key: at.insert(key, at[key]))
            yield Damage("there twice", path, twice)
        for other in (None, *others(value)):
            if other != value:
                how = lambda at, key=key, other=other: setitem(at, key, other)  # noqa: E731
                yield Damage(f"now {repr(other)[:60]}", path, change(bundle, above, how))


def value_at(value: Any, path: Path | list[str | int]) -> Any:
    for key in path:
        value = value[key]
    return value


def change(bundle: Bundle, path: list[str | int], how: Any) -> Bundle:
    """A copy in which the object or list at a path is changed."""
    return corrupt(bundle, lambda copy: how(value_at(copy, path)))


def resign(annals: Annals, table: str, *players: Api) -> None:  # noqa: F811
    for player in players:
        player.post(f"{table}/resign")
    system(annals, table, lambda match, _: ending.score(match))


def with_nonces(annals: Annals, ann: Api, bob: Api) -> str:  # noqa: F811
    """A match for whose dice one player committed to a nonce, and the other gave one."""
    table = open_table(ann, commitment=sha256(bytes.fromhex(NONCE)).hexdigest())
    bob.post(f"{table}/seats", {"nonce": OTHER})
    assert ann.post(f"{table}/nonce", {"nonce": NONCE}).json["status"] == "active"
    play_on(table, ann, bob, until=6)
    resign(annals, table, bob, ann)
    return table


def with_undo(annals: Annals, ann: Api, bob: Api) -> str:  # noqa: F811
    """A match with the seed of the service, in which a move was undone."""
    table = open_table(ann, bob, seed=None)
    version = play_on(table, ann, bob, until=5)
    asked = ann.post(f"{table}/undo", {"to": version - 1}).json["events"]
    if asked[0]["type"] == "UndoRequested":
        assert bob.post(f"{table}/undo/answer", {"agree": True}).status_code == 200
    play_on(table, ann, bob, until=version + 3)
    resign(annals, table, bob, ann)
    return table


def closed(annals: Annals, ann: Api, bob: Api) -> str:  # noqa: F811
    """A match without draws, because its host closed it before anyone sat down."""
    table = open_table(ann)
    assert ann.delete(table).json["events"][0]["type"] == "Aborted"
    return table


@pytest.mark.slow
@pytest.mark.parametrize("play", [with_nonces, with_undo, closed])
@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_part_of_a_bundle_can_be_missing_or_different(
    play: Any, is_whole: bool,
    notary: CheckpointSigner, annals: Annals, ann: Api, bob: Api, clock: Clock,  # noqa: F811
) -> None:  # fmt: skip
    table = play(annals, ann, bob)
    notary.step(clock())
    bundle = export_bundle(ann, table)
    before, [second_before] = first_verdict(bundle), second_verdicts([json.dumps(bundle)])
    assert {name for name, outcome in before.items() if outcome != "ok"} <= {"score"}
    assert {*second_before.values()} == {"ok"}
    found = list(damages(bundle, is_whole))
    seconds = second_verdicts([json.dumps(damage.bundle) for damage in found])
    missed = [
        f"{'.'.join(map(str, damage.path))} is {damage.what}: {who}"
        for damage, second in zip(found, seconds, strict=True)
        for who, is_named in (
            ("the first", first_verdict(damage.bundle) != before),
            ("the second", second != second_before or is_only_in_rules(damage.path)),
        )
        if not is_named
    ]
    assert missed == []


def first_verdict(bundle: Bundle) -> dict[str, str]:
    """The outcomes of the first verifier by step."""
    try:
        return {name: step.outcome for name, step in verdict(bundle).items()}
    except Unproven:
        return {"bundle": "wrong"}


def is_only_in_rules(path: Path) -> bool:
    """Whether only the rules of the game can check a value, so that the second verifier always
    calls it open: the board, how often the dice are thrown, and how many sides they have.
    """
    return path[0] == "board" or (path[2:3] == ("draws",) and path[4:] != (1,))
