"""The event store in Redis, and the archive."""
