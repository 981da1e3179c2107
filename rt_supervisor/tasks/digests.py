"""Digests of files, in the form of git's blobs, so that those of git's index can be used instead; those of external
dependencies.

What was computed is stored with the identity of the file (inode, size, times), unless the file changed so recently that
it could change again within the same tick of the clock.
"""

from __future__ import annotations

import os
import stat
import time

from .._native import blob_digest, blob_digest_of, digest_of
from ..start.dependencies import CLOCK_TICK_NS
from ..workspace.resolved import RULES, digests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import TypeAlias

    Identity: TypeAlias = tuple[int, int, int, int, int]
    """Inode, mode, size, and the times of the last change of content and of status."""

MISSING = "missing"
_LOCKFILE_STATES = 3  # runs of other packages, and a branch


def identity_of(about: os.stat_result) -> Identity:
    return (about.st_ino, about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns)


def is_settled(identity: Identity, at_ns: int) -> bool:
    """Return whether a file that was read at `at_ns` would have another identity after any later change."""
    return max(identity[3], identity[4]) < at_ns - CLOCK_TICK_NS


class DigestMemo:
    """The digests of files by absolute path. `known` maps paths to identity and digest; it is `changed` by new ones."""

    def __init__(self, known: dict[str, tuple[Identity, str]] | None = None) -> None:
        self.known = known or {}
        self.is_changed = False

    def digest(self, path: str, about: os.stat_result | None = None) -> tuple[int, str]:
        """Return the kind of the file at `path`, as git's file mode, and the digest of its content or target.

        The digest of a folder, a device or a missing file is `MISSING`.
        """
        try:
            about = about or os.lstat(path)
            mode = about.st_mode
            if stat.S_ISLNK(mode):
                return 0o120000, blob_digest(os.fsencode(os.readlink(path)))
            if not stat.S_ISREG(mode):
                return stat.S_IFMT(mode), MISSING
            kind = 0o100755 if mode & 0o100 else 0o100644
            identity = identity_of(about)
            known = self.known.get(path)
            if known is not None and known[0] == identity:
                return kind, known[1]
            now = time.time_ns()
            digest = blob_digest_of(path)
            if is_settled(identity, now):
                self.known[path] = (identity, digest)
                self.is_changed = True
            return kind, digest
        except OSError:
            return 0, MISSING


class LockfileDigests:
    """The digests of external dependencies (`workspace.resolved`) that the last runs have computed. `known` maps what they were computed of to
    the digest of each folder.
    """

    def __init__(self, known: dict[str, dict[str, str]] | None = None) -> None:
        self.known = known or {}

    def of(
        self, data: bytes, name: str, folders: Collection[str], dependencies: Mapping[str, Mapping[str, str]]
    ) -> dict[str, str]:
        """Return what `resolved.digests` does: a large lockfile takes longer to parse than all else in a run that is cached."""
        asked = repr((RULES, name, list(folders), dependencies)).encode("utf-8", "surrogatepass")
        key = digest_of(asked, data)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = digests(data, name, folders, dependencies)
            while len(self.known) > _LOCKFILE_STATES:
                del self.known[next(iter(self.known))]
        return found
