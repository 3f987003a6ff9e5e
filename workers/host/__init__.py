"""What runs a machine: the web server, a Redis of our own, and who keeps all of it running."""
