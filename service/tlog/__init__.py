"""The transparency log of the service: what is in it, how it grows, how it is served."""
