"""The file of `--build-snapshot`: the heap of a program that has run, from which `--snapshot-blob` starts other programs.

It is a snapshot as the runtime's own (`native/src/v8/engine/snapshot.rs`) behind a header. It can be read only by the build of
rt that wrote it.
"""

from __future__ import annotations

from ... import _native
from ...vocabulary.errors import Failed
from ...vocabulary.record import record
from . import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MAGIC = b"RTHEAP01"
_FLAGS_END = len(_MAGIC) + 1
STATUS = 14  # Node's exit status if a snapshot cannot be loaded


@record
class StoredHeap:
    """A stored heap; `has_main` is whether it contains a main function, which runs in place of a file."""

    snapshot: bytes
    has_main: bool


def write_heap(path: str, heap: StoredHeap) -> None:
    """Write the file, replacing another one. Raises Failed, also for a heap that V8 cannot read."""
    if not bundle.can_start(heap.snapshot):
        raise Failed("heap-not-storable", "V8 stored the heap of this program, but cannot read it: no file was written")
    try:
        with open(path, "wb") as file:
            file.write(_MAGIC + bytes([heap.has_main]) + heap.snapshot)
    except OSError as error:
        raise Failed("snapshot-not-written", f"Cannot write the snapshot to {path}: {error.strerror}") from error


def has_main(path: str) -> bool:
    """Return whether the heap in the file has a main function. Raises Failed."""
    return bool(_read(path, _FLAGS_END)[-1])


def read_heap(path: str) -> StoredHeap:
    """Read the file. Raises Failed."""
    data = _read(path, -1)
    return StoredHeap(data[_FLAGS_END:], bool(data[len(_MAGIC)]))


def _read(path: str, size: int) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(size)
    except OSError as error:
        raise Failed("snapshot-not-found", f"Cannot open {path}: {error.strerror}", STATUS) from error
    if not data.startswith(_MAGIC) or len(data) < _FLAGS_END:
        raise unusable(path)
    return data


def unusable(path: str) -> Failed:
    """Return the failure of a snapshot that another build of rt has written, or that is damaged."""
    return Failed(
        "snapshot-unusable",
        f"Failed to load the startup snapshot because {path} was not built by this version of rt",
        STATUS,
    )


def engine_of(path: str, host: Callable[[str], Any], *, heap_limit_bytes: int | None, flags: str) -> _native.Engine:
    """Start V8 and return an engine with the heap in the file. Raises Failed."""
    heap = read_heap(path)
    try:
        return bundle.make_engine_of_heap(host, heap.snapshot, heap_limit_bytes=heap_limit_bytes, flags=flags)
    except ValueError as error:
        raise unusable(path) from error
