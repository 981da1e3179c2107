"""The identities of followed files as of the last look."""

from __future__ import annotations

from ..vocabulary.identity import identity_of
from .folder_tree import FolderTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..vocabulary.identity import Identity


class FileStates:
    """Absolute paths and their last known identities, by folder; `take_changed` compares them with the current ones."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Identity]] = {}  # by the name in the folder
        self._folders = FolderTree(self._known)

    def __contains__(self, path: str) -> bool:
        folder, name = _split(path)
        return name in self._known.get(folder, ())

    def __len__(self) -> int:
        return sum(map(len, self._known.values()))

    @property
    def paths(self) -> list[str]:
        return self._paths_in(self._known)

    def below(self, folder: str) -> list[str]:
        """Return the followed paths in `folder` and below."""
        return self._paths_in([folder, *self._folders.below(folder)])

    def _paths_in(self, folders: Iterable[str]) -> list[str]:
        found = []
        for folder in folders:
            start = folder if folder == "/" else f"{folder}/"
            found += [start + name for name in self._known.get(folder, ())]
        return found

    def add(self, path: str, known: Identity = None, *, is_known: bool = False) -> None:
        """Follow `path` from now on, whether or not it exists; with `is_known`, its identity was `known` a moment
        ago."""
        folder, name = _split(path)
        names = self._known.get(folder)
        if names is None:
            names = self._known[folder] = {}
            self._folders.add(folder)
        if name not in names:
            names[name] = known if is_known else identity_of(path)

    def modified_since(self, paths: Iterable[str], since_ns: int) -> list[str]:
        """Return those of the followed `paths` that were modified at `since_ns` (`file_time_ns`) or later when they were last looked at."""
        return [path for path in paths if (known := self._get(path)) is not None and known[0] >= since_ns]

    def _get(self, path: str) -> Identity:
        folder, name = _split(path)
        return self._known[folder].get(name) if folder in self._known else None

    def forget(self, path: str) -> None:
        folder, name = _split(path)
        names = self._known.get(folder, {})
        names.pop(name, None)
        if not names and self._known.pop(folder, None) is not None:
            self._folders.remove(folder)

    def take_changed(self, paths: Iterable[str]) -> list[str]:
        """Check those of `paths` that are followed; return the changed ones and store their new identities."""
        changed = []
        for path in paths:
            folder, name = _split(path)
            names = self._known.get(folder)
            if names is None or name not in names:
                continue
            now = identity_of(path)
            if now != names[name]:
                names[name] = now
                changed.append(path)
        return changed


def _split(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder or "/", name
