"""The Redis of a data folder, and checks of any Redis that a service uses."""
