"""The transparency log: its contents, its growth, its signatures and its responses."""
