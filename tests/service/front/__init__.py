"""Tests of the front of the web server."""
