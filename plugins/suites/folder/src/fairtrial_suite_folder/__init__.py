"""A suite for fairtrial: tasks from folders, in two formats."""
