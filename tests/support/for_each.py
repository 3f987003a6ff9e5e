"""One test of many small cases: to collect, start and report a test takes longer than each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

MAX_LENGTH = 300
"""How much is said of a case without a name."""
Test = Callable[..., None]


def for_each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with each case, as `pytest.mark.parametrize` would, but as one test; a failure
    has a note that names its case. All cases share the fixtures of the test, so let them leave
    nothing behind.
    """
    arguments = names.replace(",", " ").split() if isinstance(names, str) else [*names]
    rows = [_read(case, len(arguments)) for case in cases]
    if not rows:
        raise ValueError(f"There is no case of {names}, so the test would check nothing.")

    def decorate(test: Test) -> Test:
        @wraps(test)
        def test_each(**fixtures: Any) -> None:
            for name, values in rows:
                given = dict(zip(arguments, values, strict=True))
                try:
                    test(**given, **fixtures)
                except BaseException as fault:
                    fault.add_note(f"in the case {name or str(given)[:MAX_LENGTH]}")
                    raise

        signature = inspect.signature(test)
        kept = [one for name, one in signature.parameters.items() if name not in arguments]
        if len(kept) + len(arguments) != len(signature.parameters):
            raise TypeError(f"{test.__name__} does not take all of {arguments}.")
        test_each.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return test_each

    return decorate


def _read(case: Any, count: int) -> tuple[str | None, tuple[Any, ...]]:
    """The name of a case, if it has one, and a value for each of some arguments."""
    if not isinstance(case, type(pytest.param())):
        return None, tuple(case) if count > 1 else (case,)
    if case.marks:
        raise ValueError("A case of one test has no marks.")
    return case.id, tuple(case.values)
