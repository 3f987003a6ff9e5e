"""Qin, rule by rule."""
