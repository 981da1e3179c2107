"""Content by digest: the files of workspaces and the results of tasks, as an agent keeps them and as they travel.

A digest is that of git's blobs (`_native.blob_digest`), so that git's index knows those of most files. Every file is written under
another name and renamed, and its digest is checked before. Trees of runs are links into the store: a script that changes such a
file in place changes the stored one, too, which `has` notices by its time and size, and then it is fetched again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time

from .. import _native
from .._native import blob_digest
from ..start.dependencies import CLOCK_TICK_NS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

_MODE = 0o644  # of a stored content; files with other permissions are copies beside it
PACK_BYTES = 8 << 20  # how much of it travels with one request,
PACK_FILES = 2000  # and in how many files: an agent must answer while it stores them
_GROUP = 1000  # contents whose identities are compared at once
_STORED_AT_NS = 1_000_000_000_000_000_000  # the time of change of every stored file: any other one is that of a script


class ContentStore:
    """The store in the folder `place`. Methods that write raise OSError."""

    def __init__(self, place: str) -> None:
        self.place = place
        # Identities of files, and their inodes by digest. Not changed, only replaced: several threads read it.
        self._remembered: Sequence[tuple[bytes, dict[str, int]]] = ()

    def has(self, digest: str) -> bool:
        """Return whether the content is there and was not changed."""
        return self.inode(digest, _MODE) is not None

    def inode(self, digest: str, mode: int) -> int | None:
        """Return the inode of a content with the permissions `mode`; None if it is not there, or was changed."""
        mode &= 0o777
        try:
            about = os.lstat(self._place_of(digest, mode))
        except OSError:
            return None
        return about.st_ino if _is_unchanged(about, mode) else None

    def inodes(self, digests: Collection[str]) -> dict[str, int]:
        """Return the inodes of those of `digests` that the store has. An agent waits for this before each run, so it makes few calls."""
        known = self._unchanged() if len(digests) >= _GROUP else {}
        found = {digest: known[digest] for digest in digests if digest in known}
        left = [digest for digest in digests if digest not in found] if found else digests
        place, lstat = self.place, os.lstat
        for digest in left:
            try:
                about = lstat(f"{place}/{digest[:2]}/{digest}")
            except OSError:
                continue
            if _is_unchanged(about, _MODE):
                found[digest] = about.st_ino
        return found

    def remember(self, digests: Iterable[str]) -> dict[str, int]:
        """Return what `inodes` does, and remember it, so that the next call for the same contents has to do less."""
        wanted = list(dict.fromkeys(digests))
        groups = [wanted[first : first + _GROUP] for first in range(0, len(wanted), _GROUP)]
        settled_ns = time.time_ns() - CLOCK_TICK_NS
        # First the identities: what is changed after that has another one, what was changed before is not among the inodes.
        identities = [_native.identify([*map(os.fsencode, map(self.path, group))], settled_ns) for group in groups]
        inodes = self.inodes(wanted)
        self._remembered = [
            (identity, {digest: inodes[digest] for digest in group})
            for identity, group in zip(identities, groups, strict=True)
            if identity is not None and all(map(inodes.__contains__, group))
        ]
        return inodes

    def _unchanged(self) -> dict[str, int]:
        """Return the remembered inodes of files that have not changed since, nor got another link."""
        known: dict[str, int] = {}
        for identity, inodes in self._remembered:
            if _native.is_unchanged(identity):
                known.update(inodes)
        return known

    def put(self, data: bytes, digest: str | None = None) -> str:
        """Store `data` and return its digest. Raises ValueError if that is not the given one."""
        actual = blob_digest(data)
        if digest is not None and digest != actual:
            raise ValueError(f"the content of {digest} has the digest {actual}")
        if not self.has(actual):
            self._write(self.path(actual), data, _MODE)
        return actual

    def put_all(self, contents: Mapping[str, bytes]) -> None:
        """Store several contents by digest. Raises ValueError if one of them has another digest."""
        for digest, data in contents.items():
            self.put(data, digest)

    def read(self, digest: str) -> bytes | None:
        """Return a content, None if the store does not have it or it is damaged, in which case it is removed."""
        try:
            with open(self.path(digest), "rb") as file:
                data = file.read()
        except OSError:
            return None
        if blob_digest(data) != digest:
            os.unlink(self.path(digest))
            return None
        return data

    def use(self, digests: Iterable[str]) -> None:
        """Mark contents as used now, as `place_file` does (`pruning`)."""
        for digest in digests:
            with contextlib.suppress(OSError):
                os.utime(self.path(digest), ns=(_STORED_AT_NS, _STORED_AT_NS))

    def place_file(self, digest: str, mode: int, at: str) -> None:
        """Make `at` a link to a stored content, with the permissions `mode`. Its folder must exist, and nothing may be there."""
        source = self._place_of(digest, mode)
        if mode != _MODE and self.inode(digest, mode) is None:
            with open(self.path(digest), "rb") as file:
                self._write(source, file.read(), mode)
        try:
            os.link(source, at)
        except OSError:  # another file system, or more links than it allows
            shutil.copyfile(source, at)
            os.chmod(at, mode)

    def path(self, digest: str) -> str:
        """Return where a content is stored."""
        return f"{self.place}/{digest[:2]}/{digest}"

    def _place_of(self, digest: str, mode: int) -> str:
        """Return where a content with the permissions `mode` is stored: those belong to the file, not to a link."""
        return self.path(digest) if mode == _MODE else f"{self.path(digest)}-{mode:o}"

    def _write(self, path: str, data: bytes, mode: int) -> None:
        draft = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(descriptor, "wb") as file:
                file.write(data)
                os.fchmod(descriptor, mode)
            os.utime(draft, ns=(_STORED_AT_NS, _STORED_AT_NS))
            os.replace(draft, path)
        except OSError:
            if os.path.lexists(draft):
                os.unlink(draft)
            raise


def _is_unchanged(about: os.stat_result, mode: int) -> bool:
    """Return whether no script has changed a stored file or its permissions."""
    return about.st_mtime_ns == _STORED_AT_NS and about.st_mode & 0o777 == mode
