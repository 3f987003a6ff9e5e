"""Revolts and wars."""
