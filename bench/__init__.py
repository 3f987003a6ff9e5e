"""Benchmarks: how fast Annals is, compared with what the machine allows, measured in one run."""
