"""The operator's page: how the service fares, and what operators can do to players and matches."""
