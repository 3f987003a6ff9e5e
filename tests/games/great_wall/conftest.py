"""The refusals of a game are looked up only once the game is in the list of games."""

import pytest


@pytest.fixture(scope="package", autouse=True)
def only_listed_refusals() -> None:
    """Nothing is looked up here until The Great Wall is in GAMES: then remove this file."""
