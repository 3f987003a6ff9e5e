"""The solo game: Qin Jiushao, who plays by rules alone, in a file for each theme: GW-14.1."""
