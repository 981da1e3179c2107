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

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PARTS = 128
LINK_MODE = 0o120000


@record
class Row:
    """A file of a tree: its path relative to the root, git's mode (0o100644, 0o100755, or LINK_MODE), and the digest of its content
    or target.
    """

    path: str
    mode: int
    digest: str


def encode(rows: Iterable[Row]) -> tuple[bytes, list[bytes]]:
    """Return the manifest of `rows`, and its parts, whose digests it lists."""
    from ..tasks.digests import blob_digest

    lines: dict[int, list[bytes]] = {}
    for row in rows:
        folder, _, _ = row.path.rpartition("/")
        line = f"{row.mode:o} {row.digest} {row.path}\0"
        lines.setdefault(zlib.crc32(os.fsencode(folder)) % _PARTS, []).append(os.fsencode(line))
    parts = [b"".join(sorted(lines[number])) for number in sorted(lines)]
    return "\n".join(map(blob_digest, parts)).encode(), parts


def part_digests(manifest: bytes) -> list[str]:
    """Return the digests of the parts of a manifest."""
    return manifest.decode().split("\n") if manifest else []


def decode_part(part: bytes) -> Sequence[Row]:
    """Return the rows of a part. Raises ValueError for anything else, also for paths that leave the tree."""
    rows = []
    for line in os.fsdecode(part).split("\0")[:-1]:
        mode, digest, path = line.split(" ", 2)
        if path.startswith("/") or any(each in ("", ".", "..") for each in path.split("/")):
            raise ValueError(f"{path!r} is not a path in the tree")
        rows.append(Row(path, int(mode, 8), digest))
    return rows
