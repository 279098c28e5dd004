"""A cache for results that are slow to compute."""

from reports.cache import LoadingCache

__all__ = ["LoadingCache"]
