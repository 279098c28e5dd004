"""What the hooks of the converter must know of the call that they work for."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from attrs import define

Resolve = Callable[[type, str, str], object]


@define(kw_only=True)
class Context:
    """
    One call of `structure`.

    Attributes:
        base: See there.
        resolve: See there.
        key: The table's key that is being worked on.
    """

    base: Path | Mapping[str, Path] | None = None
    resolve: Resolve | None = None
    key: str = ""

    def absolute(self, path: Path) -> Path:
        """Returns a path as it is meant, seen from the file that names it."""
        base = self.base.get(self.key) if isinstance(self.base, Mapping) else self.base
        return path if base is None else base / path


_current: ContextVar[Context] = ContextVar("fairtrial-structure")


def current() -> Context:
    """Returns the call that is under way."""
    return _current.get()


@contextmanager
def using(context: Context) -> Iterator[None]:
    """Makes it the current call; calls may nest, since a resolver builds other tables."""
    token = _current.set(context)
    try:
        yield
    finally:
        _current.reset(token)
