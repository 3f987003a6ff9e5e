"""Responses that several routes share: command results, lists, charts, HTML, matches."""
