"""Attacks, wounds, kills and the Horde Defeat check: GW-9.7, chapter GW-10."""
