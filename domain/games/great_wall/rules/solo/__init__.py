"""The solo game against Qin Jiushao, who plays by rules: GW-14.1."""
