"""Players with their tokens, sessions, recovery codes and quotas."""
