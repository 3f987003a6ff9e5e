"""The requests that schemathesis generates for an operation.

To import schemathesis takes most of a second: the tests import this as they run, so that only the
process that runs them does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import settings
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@schemathesis.deserializer("text/event-stream")
def as_it_comes(_context: Any, answer: Any) -> Any:
    """The raw answer, undecoded."""
    return answer.content.decode()


def check_requests(
    document: dict[str, Any], is_covered: bool, how: settings, check: Callable[[Any], None]
) -> None:
    """Let `check` make the requests of the one operation of a contract: some at random, and if it
    is covered, those with values at and beyond its bounds.
    """
    load_all_checks()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.phases.coverage.enabled = is_covered
    # The same code refuses every other method.
    schema.config.phases.coverage.unexpected_methods = {"trace"}
    [found] = schema.get_all_operations()

    def check_one(case: Any) -> None:
        check(case)

    build_operation_test(
        config=schema.config,
        operation=found.ok(),
        test_func=check_one,
        given_kwargs={},
        feedback=FeedbackSources(),
        explicit_settings=how,
    )()


def send(case: Any, app: Flask, token: str) -> Any:
    """The answer to a request, which the contract describes."""
    # The transport of schemathesis does not decompress.
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
    return case.call_and_validate(app=app, headers=headers, checks=CHECKS)
