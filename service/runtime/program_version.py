"""The version of this program."""

from importlib.metadata import version

VERSION = version("annals")
"""The version, read once: the metadata of a package is a text that has to be parsed."""
