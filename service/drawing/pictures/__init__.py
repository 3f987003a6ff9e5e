"""Pictures of boards: what is drawn, the processes that draw, and what they drew lately."""
