"""What a match keeps for undo and redo: lines that it has left, and requests for them."""
