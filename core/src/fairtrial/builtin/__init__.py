"""The plugins that come with the core, registered by its own entry points."""
