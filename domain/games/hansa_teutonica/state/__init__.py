"""The table of Hansa Teutonica: options, steps, state, positions as JSON."""
