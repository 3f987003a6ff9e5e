"""Tests of the page, without a browser and in one."""
