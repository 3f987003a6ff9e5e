"""Packages that only some settings and commands need."""

from __future__ import annotations

from importlib.util import find_spec

from workers.host.errors import CannotRun


def require_duckdb(what: str) -> None:
    """CannotRun unless DuckDB is installed; `what` needs it."""
    if find_spec("duckdb") is None:
        raise CannotRun(f"{what} needs DuckDB: add duckdb (docs/operations.md, Install).")
