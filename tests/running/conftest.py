"""The whole service, started once for all tests that neither stop it nor change its settings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.discord.people import StandIn
from tests.support.ports import free_port
from tests.support.whole_service import Service, whole_service

SETTINGS = {
    "ANNALS_BOT_SECONDS": "0.05",
    "ANNALS_PROXIES": "1",
    "ANNALS_REGISTRATIONS": "0",
    "ANNALS_PROCESSOR_SECONDS": "0",
    "ANNALS_WEBHOOKS_LOOPBACK": "1",
    "ANNALS_WEB_PROCESSES": "2",
}


@pytest.fixture(scope="package")
def stand_in() -> StandIn:
    """The address where the service expects Discord; a tutorial starts a stand-in there."""
    return StandIn(free_port())


@pytest.fixture(scope="package")
def service(stand_in: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    settings = {**SETTINGS, **stand_in.settings}
    with whole_service(tmp_path_factory.mktemp("running"), **settings) as service:
        service.sign_up("Ada")
        yield service
