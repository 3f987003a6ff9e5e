"""Metrics for Prometheus: what is counted, where processes share it, how it is served."""
