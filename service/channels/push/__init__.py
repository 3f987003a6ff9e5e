"""Web Push: notifications that browsers show also while no page is open."""
