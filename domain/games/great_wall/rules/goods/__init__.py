"""Resources, payments, tactic cards and Shame: GW-8.1 to GW-8.5, GW-9, GW-11, GW-18.2."""
