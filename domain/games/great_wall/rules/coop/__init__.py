"""The cooperative game: Requests, and the agreed order of command cards: GW-16."""
