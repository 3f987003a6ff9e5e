"""The whole service, started once for all tests that neither stop it nor set it otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.whole_service import Service, whole_service

SETTINGS = {
    "ANNALS_BOT_SECONDS": "1",
    "ANNALS_PROXIES": "1",
    "ANNALS_REGISTRATIONS": "0",
    "ANNALS_WEBHOOKS_LOOPBACK": "1",
    "ANNALS_WEB_PROCESSES": "2",
}


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with whole_service(tmp_path_factory.mktemp("running"), **SETTINGS) as service:
        service.sign_up("Ada")
        yield service
