"""An innocent player beside attacks from one other address."""
