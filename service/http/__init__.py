"""What the routes stand on: reading requests, writing answers, problems, limits."""
