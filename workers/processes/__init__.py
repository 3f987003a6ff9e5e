"""The long-lived processes: projector, worker, analyst, deliveries, notary."""
