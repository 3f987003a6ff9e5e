"""Queries about finished matches, answered without blocking other requests."""
