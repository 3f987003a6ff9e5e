"""The event store in Redis, and the archive beside it."""
