"""The events of Hansa Teutonica. Each event changes the state."""
