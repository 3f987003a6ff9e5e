"""What cards do: operations, conditions, abilities that fire, and what changes other rules."""
