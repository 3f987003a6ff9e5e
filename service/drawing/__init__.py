"""Pictures of boards and charts, with the fonts they use."""
