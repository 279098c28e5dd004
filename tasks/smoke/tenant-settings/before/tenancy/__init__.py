"""Settings for each tenant."""

from tenancy.settings import BUILT_IN, Settings

__all__ = ["BUILT_IN", "Settings"]
