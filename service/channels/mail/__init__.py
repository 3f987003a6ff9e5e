"""E-mail by the SMTP server of the operator."""
