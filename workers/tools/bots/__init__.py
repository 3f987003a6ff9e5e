"""Commands that let bots play: arena, calibrate, corpus, demo."""
