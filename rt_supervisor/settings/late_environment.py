"""An environment that is made when it is needed: a task whose result is cached needs only PATH, which says what its programs are."""

from __future__ import annotations

from _collections_abc import Mapping  # `collections` would be imported with `collections.abc`

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, ItemsView, Iterator


class LateEnvironment(Mapping[str, str]):
    """The variables that `make` returns. It is called once, at the first access to something other than PATH, which is `path`."""

    __slots__ = ("_made", "_make", "_path")

    def __init__(self, path: str, make: Callable[[], Mapping[str, str]]) -> None:
        self._path = path
        self._make = make
        self._made: Mapping[str, str] | None = None

    def plain(self) -> Mapping[str, str]:
        """Return the variables as they were made, which are read faster."""
        if self._made is None:
            made = self._make()
            self._made = made.plain() if isinstance(made, LateEnvironment) else made
        return self._made

    def items(self) -> ItemsView[str, str]:
        return self.plain().items()

    def __getitem__(self, name: str) -> str:
        return self._path if name == "PATH" else self.plain()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain())

    def __len__(self) -> int:
        return len(self.plain())

    def __repr__(self) -> str:
        return repr(self.plain())
