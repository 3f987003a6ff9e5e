"""A bucket that fsspec reaches: `bucket://` with a name, in the memory of the tests."""

from __future__ import annotations

from fsspec import register_implementation  # type: ignore[import-untyped]
from fsspec.implementations.memory import MemoryFileSystem  # type: ignore[import-untyped]


class Bucket(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory, under a scheme that settings may name: they refuse `memory://`."""

    protocol = "bucket"

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        stripped: str = super()._strip_protocol(path.replace("bucket://", "memory://"))
        return stripped


register_implementation("bucket", Bucket, clobber=True)
