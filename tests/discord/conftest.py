"""The whole service with a stand-in for Discord, started once for all of these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.discord.people import StandIn, stand_in
from tests.support.whole_service import Service, running_service


@pytest.fixture(scope="package")
def discord() -> Iterator[StandIn]:
    with stand_in() as discord:
        yield discord


@pytest.fixture(scope="package")
def service(discord: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    settings = {**discord.settings, "ANNALS_BOT_SECONDS": "0.05"}
    with running_service(tmp_path_factory.mktemp("discord"), **settings) as service:
        discord.ask("service", service.url)
        yield service
