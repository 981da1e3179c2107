"""Manifests: which files a tree has, by path, mode and digest. They travel and are stored as contents themselves.

```text
manifest = the digests of its parts, one a line
part     = "mode digest path", each ended by a NUL, of the files whose folders fall into it
```

A folder always falls into the same part, so a change of one file changes one part, and only that travels again.
"""

from __future__ import annotations

import os
import zlib
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PARTS = 128
LINK_MODE = 0o120000
PLAIN_MODE = 0o100644
EXECUTABLE_MODE = 0o100755
_NAMES = frozenset(("", ".", ".."))  # no name of a file or folder: "" is also what precedes a slash at the start
MODES = {
    f"{mode:o}": mode for mode in (PLAIN_MODE, EXECUTABLE_MODE, LINK_MODE)
}  # of the files of a tree, as git writes them


class Row(NamedTuple):
    """A file of a tree: its path relative to the root, git's mode (PLAIN_MODE, EXECUTABLE_MODE or LINK_MODE), and the digest of its content
    or target.
    """

    path: str
    mode: int
    digest: str


def encode(files: Iterable[tuple[str, str]]) -> tuple[bytes, dict[str, bytes]]:
    """Return the manifest of `files`, and its parts by the digests that it lists. A file is its path, and git's mode and the digest with a
    space between them, as `FileIndex.digests` returns them: a run of many files waits for this before its first task, so
    that no value is made for each.
    """
    from .._native import blob_digest

    by_folder: dict[str, list[str]] = {}
    by_part: dict[int, list[str]] = {}
    for path, about in sorted(files):
        folder = path.rpartition("/")[0]
        lines = by_folder.get(folder)
        if lines is None:
            number = zlib.crc32(os.fsencode(folder)) % _PARTS
            lines = by_folder[folder] = by_part.setdefault(number, [])
        lines.append(f"{about} {path}\0")
    texts = [os.fsencode("".join(by_part[number])) for number in sorted(by_part)]
    parts = {blob_digest(text): text for text in texts}
    return "\n".join(parts).encode(), parts


def part_digests(manifest: bytes) -> list[str]:
    """Return the digests of the parts of a manifest."""
    return manifest.decode().split("\n") if manifest else []


def decode_part(part: bytes) -> Sequence[Row]:
    """Return the rows of a part. Raises ValueError for anything else, also for paths that leave the tree."""
    rows = []
    for line in os.fsdecode(part).split("\0")[:-1]:
        mode, digest, path = line.split(" ", 2)
        if not _NAMES.isdisjoint(path.split("/")):
            raise ValueError(f"{path!r} is not a path in the tree")
        if mode not in MODES:
            raise ValueError(f"{path!r} has the mode {mode}")
        rows.append(Row(path, MODES[mode], digest))
    return rows
