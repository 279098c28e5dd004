"""Jobs that run at a time of the day."""
