"""A connection to a real Redis with a reader between any two commands of a writer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from redis import Redis


class ObservedRedis(Redis):
    """Calls `read` after every command."""

    read: Callable[[], object] | None = None

    def execute_command(self, *words: Any, **options: Any) -> Any:
        answer = super().execute_command(*words, **options)
        if self.read:
            self.read()
        return answer
