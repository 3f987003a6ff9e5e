"""The Discord application: commands and buttons, answered over HTTP."""
