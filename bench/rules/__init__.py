"""Benchmarks of rules, random play and evaluations."""
