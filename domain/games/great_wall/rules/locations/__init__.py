"""The Locations and their clerks: GW-6.1, GW-6.2, GW-8.6 to GW-8.12."""
