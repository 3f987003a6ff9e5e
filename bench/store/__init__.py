"""Benchmarks of the store: appends, growth, audit, fail-over."""
