"""Pictures: what they are drawn from, who draws them, and how they are kept."""
