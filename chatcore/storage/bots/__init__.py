"""The protocols for the settings of bots and for their calls."""
