"""Benchmarks: how fast Annals is beside what the machine allows, measured in one run."""
