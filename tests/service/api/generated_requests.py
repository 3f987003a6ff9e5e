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
from schemathesis.checks import load_all_checks
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.transport.prepare import get_exclude_headers
from schemathesis.transport.wsgi import WSGI_TRANSPORT
from werkzeug.test import TestResponse

from tests.service.api import contract

UNEXPECTED = "trace"
"""A method that no route has: the same code refuses every other one."""


def check_requests(
    document: dict[str, Any], is_covered: bool, how: settings, check: Callable[[Any], None]
) -> None:
    """Let `check` make the requests of the one operation of a contract: some at random, and if it
    is covered, those with values at and beyond its bounds.
    """
    load_all_checks()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.phases.coverage.enabled = is_covered
    schema.config.phases.examples.enabled = False  # test_examples_in_contract.py requests them
    schema.config.phases.coverage.unexpected_methods = {UNEXPECTED}
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


def send(case: Any, app: Flask, token: str) -> TestResponse:
    """The answer to a request, which the contract describes: our check of it takes half as long as
    those of schemathesis, and allows no other members.
    """
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
    request = WSGI_TRANSPORT.serialize_case(case, headers=headers)
    for name in get_exclude_headers(case):
        request["headers"].pop(name, None)
    answer = app.test_client(use_cookies=False).open(**request)
    assert answer.status_code < 500, (request, answer.text)
    if request["method"] == UNEXPECTED.upper():
        assert answer.status_code in (400, 404, 405), (request, answer.text)
        contract.judge("Problem", answer.json)
    else:
        contract.check(request["method"], request["path"], answer)
    answer.get_data()  # the rest of a stream, which then closes
    answer.close()
    return answer
