"""Event streams, wake-ups, stream slots, the backlog, and metrics for Prometheus."""
