"""Load generators and the servers they measure."""
