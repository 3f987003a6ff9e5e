"""Tests of where requests come in."""
