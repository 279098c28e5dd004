"""Reading and showing configuration values."""
