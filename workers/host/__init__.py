"""The processes of one machine: supervisor, Redis server, web server, metrics."""
