"""The form in which the remote cache holds a result: a head, and the files as zstd frames, as the store has them.

```text
artifact = MAGIC, length of the head's frame (8 bytes, little-endian), length of the head (8 bytes), frame of the head, frame of each file
head     = JSON: format, key, seconds, log [[step, stream, base64]], outputs [[path, kind, mode, content, size]],
           files [[digest, length of the frame, size]], each digest once
```

An artifact comes from another machine. `unpack` writes only into the store, and nothing is in the workspace before all of the artifact was
checked: every path has to be an output of the task, every link has to stay in the workspace, and sizes are bounded.
"""

from __future__ import annotations

import base64
import json

from .._native import content_digest, zstd_compress, zstd_decompress
from ..vocabulary.record import record
from .store import FILE, FOLDER, LEVEL, LINK, Entry, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from .globs import Globs
    from .store import Store

MAGIC = b"rt result 1\n"
_LENGTH_BYTES = 8
_PERMISSIONS = 0o777


@record
class ArtifactBounds:
    """The most that an artifact may be: its own bytes, those of all files, of one file and of the head, and the number of outputs."""

    artifact_bytes: int = 1 << 30
    data_bytes: int = 4 << 30
    file_bytes: int = 512 << 20
    head_bytes: int = 128 << 20
    outputs: int = 500_000


BOUNDS = ArtifactBounds()


class InvalidArtifact(Exception):
    """An artifact that cannot be used; the message says why."""


def pack(key: str, entry: Entry, store: Store, target: IO[bytes], bounds: ArtifactBounds = BOUNDS) -> int:
    """Write the result `entry` of `key`, whose files are in `store`, to `target`. Return the number of bytes.

    Raises InvalidArtifact for a result that `unpack` would refuse on another machine, and OSError.
    """
    for output in entry.outputs:
        if output.kind == LINK and not _stays_inside(output.path, output.content):
            raise InvalidArtifact(f"the link {output.path} leads out of the workspace")
    digests = dict.fromkeys(output.content for output in entry.outputs if output.kind == FILE)
    sizes = {output.content: output.size for output in entry.outputs if output.kind == FILE}
    frames = {digest: store.frame_size(digest) for digest in digests}
    head = {
        "format": 1,
        "key": key,
        "seconds": entry.seconds,
        "log": [[step, stream, base64.b64encode(block).decode()] for step, stream, block in entry.log],
        "outputs": [[each.path, each.kind, each.mode, each.content, each.size] for each in entry.outputs],
        "files": [[digest, frames[digest], sizes[digest]] for digest in digests],
    }
    plain = json.dumps(head).encode("utf-8", "surrogatepass")
    frame = zstd_compress(plain, LEVEL)
    total = len(MAGIC) + 2 * _LENGTH_BYTES + len(frame) + sum(frames.values())
    _check_sizes(len(plain), list(sizes.values()), len(entry.outputs), bounds)
    if total > bounds.artifact_bytes:
        raise InvalidArtifact("it is too large")
    target.write(MAGIC + len(frame).to_bytes(_LENGTH_BYTES, "little") + len(plain).to_bytes(_LENGTH_BYTES, "little"))
    target.write(frame)
    for digest in digests:
        data = store.frame(digest)
        if len(data) != frames[digest]:
            raise InvalidArtifact("its files have changed")
        target.write(data)
    return total


def unpack(key: str, source: IO[bytes], outputs: Globs, store: Store, bounds: ArtifactBounds = BOUNDS) -> None:
    """Store the result of `key` that `source` holds. `outputs` are those of the task. Raises InvalidArtifact, OSError."""
    head = _head(source, bounds)
    entry = _entry(head, key, outputs, bounds)
    sizes = {output.content: output.size for output in entry.outputs if output.kind == FILE}
    files = [_triple(each) for each in _list(head, "files")]
    if {digest for digest, _, _ in files} != sizes.keys() or len(files) != len(sizes):
        raise InvalidArtifact("its list of files is not that of its outputs")
    for digest, length, size in files:
        if sizes[digest] != size or not 0 <= length <= bounds.artifact_bytes:
            raise InvalidArtifact("a file has another size than its output")
        frame = source.read(length)
        data = zstd_decompress(frame, size) if len(frame) == length else None
        if data is None:
            raise InvalidArtifact("it is truncated or damaged")
        if content_digest(data) != digest:
            raise InvalidArtifact("a file has another content than its digest says")
        store.put_file(data)
    if source.read(1):
        raise InvalidArtifact("there is more data than it declares")
    store.put(key, entry)


def _head(source: IO[bytes], bounds: ArtifactBounds) -> dict[str, Any]:
    start = source.read(len(MAGIC) + 2 * _LENGTH_BYTES)
    if not start.startswith(MAGIC) or len(start) != len(MAGIC) + 2 * _LENGTH_BYTES:
        raise InvalidArtifact("it is not a result of rt")
    lengths = start[len(MAGIC) :]
    length = int.from_bytes(lengths[:_LENGTH_BYTES], "little")
    size = int.from_bytes(lengths[_LENGTH_BYTES:], "little")
    if max(length, size) > bounds.head_bytes:
        raise InvalidArtifact("it is too large")
    frame = source.read(length)
    plain = zstd_decompress(frame, size) if len(frame) == length else None
    try:
        head = None if plain is None else json.loads(plain.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise InvalidArtifact("it is truncated or damaged")
    return head


def _entry(head: dict[str, Any], key: str, globs: Globs, bounds: ArtifactBounds) -> Entry:
    """Return the checked result in `head`, whose files are not read yet."""
    if (head.get("format"), head.get("key")) != (1, key):
        raise InvalidArtifact("it is the result of another task")
    outputs = tuple(_output(each) for each in _list(head, "outputs"))
    sizes = {output.content: output.size for output in outputs if output.kind == FILE}
    _check_sizes(0, list(sizes.values()), len(outputs), bounds)
    _check_paths(outputs, globs)
    seconds = head.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < float("inf"):
        raise InvalidArtifact("its duration is not a number")
    return Entry(tuple(_block(each) for each in _list(head, "log")), outputs, float(seconds))


def _check_sizes(head_bytes: int, sizes: list[int], count: int, bounds: ArtifactBounds) -> None:
    is_too_large = head_bytes > bounds.head_bytes or sum(sizes) > bounds.data_bytes or count > bounds.outputs
    if is_too_large or any(size > bounds.file_bytes for size in sizes):
        raise InvalidArtifact("it is too large")


def _check_paths(outputs: tuple[Output, ...], globs: Globs) -> None:
    """Refuse paths that are not outputs of the task, that lie below something other than a folder, and links that lead outside."""
    paths = [output.path for output in outputs]
    if len(globs.matching(paths)) != len(paths):
        foreign = sorted(set(paths).difference(globs.matching(paths)))[0]
        raise InvalidArtifact(f"{foreign!r} is not an output of the task")
    kinds = {output.path: output.kind for output in outputs}
    if len(kinds) != len(outputs):
        raise InvalidArtifact("it has a path twice")
    for output in outputs:
        parts = output.path.split("/")
        if output.path.startswith("/") or "\0" in output.path or any(part in ("", ".", "..") for part in parts):
            raise InvalidArtifact(f"{output.path!r} is not a path in the workspace")
        for count in range(1, len(parts)):
            if kinds.get("/".join(parts[:count]), FOLDER) != FOLDER:
                raise InvalidArtifact(f"{output.path!r} lies below a file or link")
        if output.kind == LINK and not _stays_inside(output.path, output.content):
            raise InvalidArtifact(f"the link {output.path!r} leads out of the workspace")


def _stays_inside(path: str, target: str) -> bool:
    """Return whether a link at `path`, relative to the root, leads to a place in the workspace."""
    if not target or target.startswith("/") or "\0" in target:
        return False
    depth = path.count("/")
    for part in target.split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            return False
    return True


def _list(head: dict[str, Any], name: str) -> list[Any]:
    value = head.get(name)
    if not isinstance(value, list):
        raise InvalidArtifact(f'it has no "{name}"')
    return value


def _output(value: Any) -> Output:
    match value:
        case [str(path), "file" | "folder" | "link" as kind, int(mode), str(content), int(size)] if size >= 0:
            if 0 <= mode <= _PERMISSIONS:
                return Output(path, kind, mode, content, size)
    raise InvalidArtifact("an output is neither a file, a folder nor a link with usual permissions")


def _triple(value: Any) -> tuple[str, int, int]:
    match value:
        case [str(digest), int(length), int(size)]:
            return digest, length, size
    raise InvalidArtifact("its list of files is invalid")


def _block(value: Any) -> tuple[int, int, bytes]:
    match value:
        case [int(step), 1 | 2 as stream, str(text)] if step >= 0:
            try:
                return step, stream, base64.b64decode(text, validate=True)
            except ValueError:
                pass
    raise InvalidArtifact("its output is invalid")
