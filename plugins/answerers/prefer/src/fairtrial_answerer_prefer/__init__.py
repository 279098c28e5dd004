"""An answerer for fairtrial: picks the option that the task prefers."""
