"""Ports for servers that tests and measurements start."""

import socket


def free_port() -> int:
    """A free TCP port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
