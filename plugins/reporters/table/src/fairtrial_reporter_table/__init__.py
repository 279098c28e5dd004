"""A reporter for fairtrial: the frontier as a terminal and Markdown table."""
