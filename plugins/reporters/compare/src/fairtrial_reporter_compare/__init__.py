"""A reporter for fairtrial: two runs side by side, with their flips and their chance."""
