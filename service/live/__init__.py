"""Event streams, wake-ups, stream slots, and metrics for Prometheus."""
