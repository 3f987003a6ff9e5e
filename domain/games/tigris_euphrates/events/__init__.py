"""What can happen; each fact writes itself down."""
