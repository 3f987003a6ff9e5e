"""The processes: projector, bots, scoring, deadlines, and who looks after them."""
