"""The table of Hansa Teutonica: what was chosen before, the steps, the state, positions."""
