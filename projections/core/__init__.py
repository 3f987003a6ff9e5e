"""What all projections share: key spaces, atomic commits, match summaries and queries."""
