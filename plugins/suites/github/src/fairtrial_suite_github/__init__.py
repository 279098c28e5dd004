"""A suite for fairtrial: another suite, its tasks as issues of a repository on GitHub."""

from fairtrial_suite_github.suite import GithubSuite

__all__ = ["GithubSuite"]
