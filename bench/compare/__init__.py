"""Baselines and peers that Annals is measured against."""
