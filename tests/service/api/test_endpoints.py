"""Routes that are treated differently by name exist, so that a renamed view is not forgotten."""

from __future__ import annotations

import pytest
from flask import Flask

from service.http.middleware import SIGN_IN_ENDPOINTS, UNPRICED_ENDPOINTS
from service.page.frame import SHARED_ENDPOINTS


@pytest.mark.parametrize("endpoint", [*SIGN_IN_ENDPOINTS, *UNPRICED_ENDPOINTS, *SHARED_ENDPOINTS])
def test_an_endpoint_that_is_named_is_a_route(app: Flask, endpoint: str) -> None:
    assert endpoint in {rule.endpoint for rule in app.url_map.iter_rules()}
