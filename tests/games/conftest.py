"""`--update-replays` writes the recorded games anew; read the diff then.

Whatever the rules refuse here is looked up in the list of what they can refuse.
"""

import os
from collections.abc import Iterator

import pytest

from domain.engine.contract.refusals import faults
from domain.engine.errors import RuleBroken
from domain.engine.sentences import Part
from domain.games import GAMES
from tests.engine.toy import GAME as TOY


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-replays", action="store_true", help="record the games anew")


@pytest.fixture
def update_replays(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-replays", default=False))


def listed_refusals() -> Iterator[tuple[str, str]]:
    """Each fault of each game with a rule that it breaks."""
    for game in (*GAMES.values(), TOY):
        for fault, rules in faults(game).items():
            yield from ((rule, fault) for rule in rules)


@pytest.fixture(scope="package", autouse=True)
def only_listed_refusals() -> Iterator[None]:
    """A refusal that clients are not told of beforehand fails the test in which it is made."""
    if "MUTANT_UNDER_TEST" in os.environ:  # then the source is not that of the rules alone
        yield
        return
    make, listed = RuleBroken.__init__, set(listed_refusals())

    def looked_up(
        refusal: RuleBroken, rule: str, fault: str, text: str = "", /, **parts: Part
    ) -> None:
        assert (rule, fault) in listed, f"{fault} by {rule} is missing in `faults`"
        make(refusal, rule, fault, text, **parts)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(RuleBroken, "__init__", looked_up)
        yield
