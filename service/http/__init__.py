"""What the routes share: requests, responses, problem documents, limits."""
