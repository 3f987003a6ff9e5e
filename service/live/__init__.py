"""Waiting for changes: streams, wakeups, connection limits, and metrics for Prometheus."""
