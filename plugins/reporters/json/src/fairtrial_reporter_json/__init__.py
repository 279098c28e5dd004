"""A reporter for fairtrial: every figure as JSON with a published schema."""
