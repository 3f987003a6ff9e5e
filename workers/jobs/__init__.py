"""RQ jobs: bot moves, deadlines, scoring, Discord; and the worker class that runs them."""
