"""Turns due work into jobs: fair queues, partitions, bot quotas."""
