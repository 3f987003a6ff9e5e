"""The outbox: deliveries planned in the projector's transaction."""
