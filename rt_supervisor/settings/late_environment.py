"""An environment that is made when it is needed: a task whose result is cached needs only PATH, which says what its programs are."""

from __future__ import annotations

from _collections_abc import Mapping  # `collections` would be imported with `collections.abc`

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class LateEnvironment(Mapping[str, str]):
    """The variables that `make` returns. It is called once, at the first access to something other than PATH, which is `path`."""

    __slots__ = ("_made", "_make", "_path")

    def __init__(self, path: str, make: Callable[[], Mapping[str, str]]) -> None:
        self._path = path
        self._make = make
        self._made: Mapping[str, str] | None = None

    def _all(self) -> Mapping[str, str]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, name: str) -> str:
        return self._path if name == "PATH" else self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(self._all())
