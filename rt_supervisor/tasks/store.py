"""The store of results: entries by key, and the files that they refer to by digest, compressed.

Many processes and workspaces share it. Every file is written under another name and renamed; entries carry a checksum and blobs are
compared with their digest, so that a damaged or missing one is a miss. Blobs that no entry refers to are removed by `prune`.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import time

from .._native import cache_put, checksum, content_digest, zstd_compress, zstd_decompress
from ..start.cache_folder import cache_folder
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FORMAT = 2
LEVEL = 3
LARGEST_ENTRY = 1 << 30
_CHECKSUM_BYTES = 8
_SUFFIX_BYTES = 8

FILE = "file"
FOLDER = "folder"
LINK = "link"


@record
class Output:
    """What a task wrote at `path`, relative to the root of the workspace, whose `kind` is a file, folder or link.

    `mode` holds the permissions. `content` is the digest of a file, the target of a link, "" for a folder; `size` is in bytes.
    """

    path: str
    kind: str
    mode: int
    content: str
    size: int

    def line(self) -> str:
        """Return the output as one line, which identifies it."""
        return f"{self.kind} {self.mode:o} {self.content} {self.path}"


@record
class Entry:
    """A result: what the task printed, as (step, stream, block), what it wrote, and how long it took.

    `contents` are files of `outputs` by digest that are not stored elsewhere (`small_files`).
    """

    log: tuple[tuple[int, int, bytes], ...]
    outputs: tuple[Output, ...]
    seconds: float
    contents: Mapping[str, bytes] = {}


class Store:
    """The store in the folder `place`. Methods that write raise OSError; methods that read return None for what is damaged."""

    def __init__(self, place: str) -> None:
        self.place = place

    @staticmethod
    def of_user() -> Store | None:
        """Return the store in rt's cache folder, None if that is not safe to use."""
        place = cache_folder("tasks")
        return None if place is None else Store(place)

    def scratch(self) -> Store:
        """Return a new store for one run, on the same file system. Raises OSError."""
        return Store(self.scratch_folder())

    def scratch_folder(self) -> str:
        """Make a folder for one run, which removes it at its end; `prune` removes those of killed runs. Raises OSError."""
        import tempfile

        os.makedirs(self.place, exist_ok=True)
        return tempfile.mkdtemp(prefix=_SCRATCH, dir=self.place)

    def remove_everything(self) -> None:
        """Remove the store of one run."""
        import shutil

        shutil.rmtree(self.place, ignore_errors=True)

    def load(self, key: str) -> Entry | None:
        """Return the entry of `key`, and mark it as used."""
        path = self._entry_path(key)
        try:
            with open(path, "rb") as file:
                data = file.read()
            size = int.from_bytes(data[_CHECKSUM_BYTES : _CHECKSUM_BYTES + _SUFFIX_BYTES], "little")
            payload = data[_CHECKSUM_BYTES:]
            if checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") != data[:_CHECKSUM_BYTES] or size > LARGEST_ENTRY:
                return None
            plain = zstd_decompress(payload[_SUFFIX_BYTES:], size)
            if plain is None:
                return None
            version, own_key, log, outputs, seconds, contents = marshal.loads(plain)
            if (version, own_key) != (FORMAT, key):
                return None
            os.utime(path)
            return Entry(tuple(log), tuple(Output(*fields) for fields in outputs), seconds, contents)
        except (OSError, ValueError, EOFError, TypeError):
            return None

    def put(self, key: str, entry: Entry) -> None:
        """Store an entry. Its files that it does not contain must have been stored before."""
        outputs = [(each.path, each.kind, each.mode, each.content, each.size) for each in entry.outputs]
        plain = marshal.dumps((FORMAT, key, list(entry.log), outputs, entry.seconds, dict(entry.contents)))
        payload = len(plain).to_bytes(_SUFFIX_BYTES, "little") + zstd_compress(plain, LEVEL)
        self._write(self._entry_path(key), checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") + payload)

    def put_file(self, data: bytes) -> str:
        """Store the content of a file and return its digest."""
        digest = content_digest(data)
        path = self._blob_path(digest)
        try:
            os.utime(path)  # used again: not to be removed before an entry refers to it
        except OSError:
            self._write(path, zstd_compress(data, LEVEL))
        return digest

    def file(self, digest: str, size: int) -> bytes | None:
        """Return the content of a file, and remove it if it is damaged: it would never be written again."""
        path = self._blob_path(digest)
        try:
            with open(path, "rb") as file:
                data = zstd_decompress(file.read(), size)
        except OSError:
            return None
        if data is None or content_digest(data) != digest:
            _unlink(path, 0)
            return None
        return data

    def frame(self, digest: str) -> bytes:
        """Return the content of a file as the store has it, compressed. Raises OSError."""
        with open(self._blob_path(digest), "rb") as file:
            return file.read()

    def frame_size(self, digest: str) -> int:
        """Return the number of bytes that the store has of a file. Raises OSError."""
        return os.stat(self._blob_path(digest)).st_size

    def remove(self, key: str) -> None:
        """Remove an entry that turned out to be damaged."""
        try:
            os.unlink(self._entry_path(key))
        except OSError:
            return

    def sizes(self) -> tuple[int, int, int]:
        """Return the number of entries, the number of blobs, and the bytes of both and of traces."""
        entries, blobs = list(_files(self._folder("entries"))), list(_files(self._folder("blobs")))
        traces = _files(self._folder("traces"))
        return len(entries), len(blobs), sum(size for _, size, _ in (*entries, *blobs, *traces))

    def prune(self, *, max_bytes: int, max_age_s: float) -> int:
        """Remove entries that were not used for `max_age_s`, then the least recently used ones until the rest fits into
        `max_bytes`, and blobs that no entry refers to. Returns the number of bytes that were freed."""
        now = time.time()
        blob_sizes = {os.path.basename(path): size for path, size, _ in _files(self._folder("blobs"))}
        newest_first = sorted(_files(self._folder("entries")), key=lambda each: -each[2])
        kept: set[str] = set()
        total = freed = 0
        for path, size, used in newest_first:
            entry = self.load_without_use(os.path.basename(path), used)
            digests = {each.content for each in entry.outputs if each.kind == FILE} if entry else set()
            more = size + sum(blob_sizes.get(digest, 0) for digest in digests - kept)
            if entry is None or now - used > max_age_s or total + more > max_bytes:
                freed += _unlink(path, size)
                continue
            total += more
            kept |= digests
        for path, size, used in _files(self._folder("blobs")):
            # A young blob may belong to an entry that another process is about to store.
            if os.path.basename(path) not in kept and now - used > _YOUNG_S:
                freed += _unlink(path, size)
        for path, size, used in _files(self._folder("traces")):
            if now - used > max_age_s:
                freed += _unlink(path, size)
        for folder in _entries(self.place):
            with contextlib.suppress(OSError):  # another process may remove it
                if folder.name.startswith(_SCRATCH) and now - folder.stat().st_mtime > _DAY_S:
                    Store(folder.path).remove_everything()
        return freed

    def prune_daily(self, *, max_bytes: int, max_age_s: float) -> None:
        """Prune, unless that was done within the last day. Raises OSError."""
        mark = os.path.join(self.place, "pruned")
        try:
            is_due = time.time() - os.stat(mark).st_mtime > _DAY_S
        except FileNotFoundError:
            cache_put(mark, b"", is_durable=False)
            return  # the store is new
        if is_due:
            cache_put(mark, b"", is_durable=False)
            self.prune(max_bytes=max_bytes, max_age_s=max_age_s)

    def load_without_use(self, key: str, used: float) -> Entry | None:
        """Return the entry of `key` and leave the time of its last use, `used`, as it is."""
        entry = self.load(key)
        if entry is not None:
            os.utime(self._entry_path(key), (used, used))
        return entry

    def trace_path(self, key: str) -> str:
        """Return the path of the file with the traces of a base key (`traced_tasks`)."""
        return self._spread("traces", key)

    def put_traces(self, key: str, data: bytes) -> None:
        """Write the file with the traces of a base key."""
        self._write(self.trace_path(key), data)

    def _folder(self, name: str) -> str:
        return os.path.join(self.place, name)

    def _entry_path(self, key: str) -> str:
        return self._spread("entries", key)

    def _blob_path(self, digest: str) -> str:
        return self._spread("blobs", digest)

    def _spread(self, name: str, key: str) -> str:
        """Return the path of a file of one kind: they are spread over sixteen folders, each of which costs a new store as much as a file."""
        return f"{self.place}/{name}/{key[:1]}/{key}"

    def _write(self, path: str, data: bytes) -> None:
        cache_put(path, data, is_durable=False)


_YOUNG_S = 3600.0
_DAY_S = 24 * 3600.0
_SCRATCH = "exchange-"


def _files(folder: str) -> Iterator[tuple[str, int, float]]:
    """Yield path, size and time of last use of the files two levels below `folder`."""
    for first in _entries(folder):
        for entry in _entries(first.path):
            try:
                about = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            yield entry.path, about.st_size, about.st_mtime


def _entries(folder: str) -> Sequence[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except OSError:
        return ()


def _unlink(path: str, size: int) -> int:
    try:
        os.unlink(path)
    except OSError:
        return 0
    return size
