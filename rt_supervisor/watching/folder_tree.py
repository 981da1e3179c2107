"""Which folders are below another one, found without looking at all folders.

The folders are the keys of a mapping, which the owner changes: it calls `add` after it has added a folder, and `remove` after it has removed one.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container


class FolderTree:
    """The folders in `members`, with all their ancestors."""

    def __init__(self, members: Container[str]) -> None:
        self._members = members
        self._inner: dict[str, set[str]] = {}  # the folders in a folder that are, or lead to, members

    def add(self, folder: str) -> None:
        while (above := os.path.dirname(folder)) != folder:
            inner = self._inner.get(above)
            if inner is not None:
                inner.add(folder)
                return
            self._inner[above] = {folder}
            folder = above

    def remove(self, folder: str) -> None:
        while folder not in self._inner and folder not in self._members:
            above = os.path.dirname(folder)
            inner = self._inner.get(above)
            if above == folder or inner is None:
                return
            inner.discard(folder)
            if inner:
                return
            del self._inner[above]
            folder = above

    def below(self, folder: str) -> list[str]:
        """Return the members below `folder`, without itself."""
        found = []
        waiting = [folder]
        while waiting:
            inner = self._inner.get(waiting.pop(), ())
            waiting += inner
            found += [each for each in inner if each in self._members]
        return found
