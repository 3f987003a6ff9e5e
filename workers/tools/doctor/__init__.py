"""`annals doctor`: looks for what keeps a service from working well, and says the cure."""
