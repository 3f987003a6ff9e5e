"""The service: event store, commands and queries, and the REST interface over them."""
