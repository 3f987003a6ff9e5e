"""What cards do: operations, conditions, abilities that fire, and modifiers of other rules."""
