"""`--update-replays` records the games anew; read the diff then.

Every refusal in these tests must be in the list of faults that the game publishes.
"""

import os
from collections.abc import Iterator

import pytest

from domain.engine.contract.refusals import rule_faults
from domain.engine.errors import RuleBroken
from domain.engine.sentences import Part
from domain.games import GAMES
from tests.engine.toy import GAME as TOY
from tests.games.citing import wrong as wrong


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-replays", action="store_true", help="record the games anew")


@pytest.fixture
def update_replays(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-replays", default=False))


def list_refusals() -> Iterator[tuple[str, str]]:
    """Each fault of each game with a rule that it breaks."""
    for game in (*GAMES.values(), TOY):
        for fault, rules in rule_faults(game).items():
            yield from ((rule, fault) for rule in rules)


@pytest.fixture(scope="package", autouse=True)
def only_listed_refusals() -> Iterator[None]:
    """Fail a test in which the rules refuse something with an unlisted fault."""
    if "MUTANT_UNDER_TEST" in os.environ:  # a mutant changes the source from which the list is read
        yield
        return
    make, listed = RuleBroken.__init__, set(list_refusals())

    def check_listed(
        refusal: RuleBroken, rule: str, fault: str, text: str = "", /, **parts: Part
    ) -> None:
        if (rule, fault) not in listed:  # pytest would make an `assert` slow
            raise AssertionError(f"{fault} by {rule} is missing in `faults`")
        make(refusal, rule, fault, text, **parts)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(RuleBroken, "__init__", check_listed)
        yield
