"""Small files of a result, which are stored in its entry: a file of their own costs a task that takes milliseconds more than it does.

Only results of traced tasks have them, which no other machine gets: those that are shared refer to all files by digest.
"""

from __future__ import annotations

from .._native import content_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .store import Entry, Store

MOST_BYTES = 16 << 10  # of all such files of one result


class NewFiles:
    """Takes the files of a new result: `contents` are the small ones by digest, the others are put into `store`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._left = MOST_BYTES
        self.contents: dict[str, bytes] = {}

    def put_file(self, data: bytes) -> str:
        """Keep the content of a file and return its digest. Raises OSError."""
        if len(data) > self._left:
            return self._store.put_file(data)
        digest = content_digest(data)
        if digest not in self.contents:
            self.contents[digest] = data
            self._left -= len(data)
        return digest


class EntryFiles:
    """The files of `entry`, whose other files are in `store`."""

    def __init__(self, entry: Entry, store: Store) -> None:
        self._entry = entry
        self._store = store

    def file(self, digest: str, size: int) -> bytes | None:
        """Return the content of a file, None if it is missing or damaged."""
        data = self._entry.contents.get(digest)
        return self._store.file(digest, size) if data is None else data
