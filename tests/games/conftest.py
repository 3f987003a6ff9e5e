"""`--update-replays` writes the recorded games anew; read the diff then."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-replays", action="store_true", help="record the games anew")


@pytest.fixture
def update_replays(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-replays", default=False))
