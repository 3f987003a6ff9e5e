"""Bodies of deliveries in each format, with examples."""
