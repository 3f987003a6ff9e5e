"""Commands and queries: what people, bots and programs can ask for."""
