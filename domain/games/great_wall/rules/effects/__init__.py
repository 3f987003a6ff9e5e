"""What cards do: the interpreter of their language."""
