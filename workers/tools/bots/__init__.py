"""Commands that let bots play: arena, calibration, demonstration, corpus."""
