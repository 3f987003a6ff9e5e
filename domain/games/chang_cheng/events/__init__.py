"""What can happen in Chang Cheng; each fact writes itself down."""
