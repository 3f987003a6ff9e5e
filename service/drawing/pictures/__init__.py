"""Pictures of boards: their inputs, the painter processes, and a cache."""
