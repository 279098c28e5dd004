"""A suite for fairtrial: tasks from folders, in two formats."""

from fairtrial_suite_folder.suite import FolderSuite

__all__ = ["FolderSuite"]
