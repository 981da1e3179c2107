"""Unpacks a package's archive: a tar file, compressed with gzip or not.

Only regular files are written, and only below the package's folder. The size of the unpacked data, the number of files and
the memory that a header may take are bounded, so that a small archive cannot grow without limit.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import zlib

from ..vocabulary.record import record
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

_COPY_BYTES = 1 << 18


@record
class UnpackingBounds:
    """`read_bytes` bounds a single read by tarfile, which reads a long name or a table of attributes at once."""

    data_bytes: int = 2 << 30
    files: int = 500_000
    read_bytes: int = 1 << 20


_BOUNDS = UnpackingBounds()


def unpack(archive: IO[bytes], folder: str, bounds: UnpackingBounds = _BOUNDS) -> None:
    """Write the files of a package's archive below `folder`, without the archive's top folder, as npm does.

    Links and devices are left out, as in npm. Raises PackageProblem, OSError.
    """
    made: set[str] = set()
    try:
        with tarfile.open(fileobj=_BoundedReader(archive, bounds), mode="r:") as files:
            for count, member in enumerate(files):
                if count >= bounds.files:
                    raise PackageProblem(f"its archive has more than {bounds.files} files")
                steps = [step for step in member.name.split("/") if step not in ("", ".")][1:]
                # A sparse file stands for more data than the archive has.
                if member.isfile() and not member.issparse() and steps:
                    _write(files, member, _destination(member.name, steps, folder, made))
                files.members = []  # type: ignore[attr-defined]  # tarfile would keep every member in memory
    except (tarfile.TarError, zlib.error, EOFError, LookupError, OverflowError, RecursionError, ValueError) as error:
        raise PackageProblem("its archive is damaged, or not a tar file") from error


def _destination(name: str, steps: list[str], folder: str, made: set[str]) -> str:
    if ".." in steps or "\0" in name:
        raise PackageProblem(f'its archive has a file outside the package: "{name}"')
    path = os.path.join(folder, *steps)
    if (parent := os.path.dirname(path)) not in made:
        os.makedirs(parent, exist_ok=True)
        made.add(parent)
    return path


def _write(files: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
    source = files.extractfile(member)
    assert source is not None
    mode = 0o755 if member.mode & 0o111 else 0o644
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    with open(descriptor, "wb") as target:
        shutil.copyfileobj(source, target, _COPY_BYTES)


def make_executable(folder: str, paths: Iterable[str]) -> None:
    """Make the programs of a package executable, whatever its archive says; paths outside `folder` are ignored."""
    for path in paths:
        whole = path_inside(folder, path)
        if whole is not None and os.path.isfile(whole):
            os.chmod(whole, 0o755)


def path_inside(folder: str, path: str) -> str | None:
    """Return the absolute form of `path`, which is relative to `folder`; None if it leads outside, or to `folder` itself."""
    whole = os.path.normpath(os.path.join(folder, path))
    return whole if whole.startswith(f"{os.path.normpath(folder)}/") and "\0" not in path else None


class _BoundedReader(io.RawIOBase):
    """The decompressed bytes of an archive, as a file that only moves forward."""

    def __init__(self, archive: IO[bytes], bounds: UnpackingBounds) -> None:
        self._archive = archive
        self._bounds = bounds
        self._position = 0
        self._pending = b""
        head = archive.read(2)
        archive.seek(0)
        self._stream = zlib.decompressobj(wbits=31) if head == b"\x1f\x8b" else None

    def tell(self) -> int:
        return self._position

    def seek(self, position: int, whence: int = os.SEEK_SET) -> int:
        if whence != os.SEEK_SET or position < self._position:
            raise tarfile.ReadError("backward seek")
        while self._position < position:
            if not self._read_some(min(position - self._position, _COPY_BYTES)):
                break
        return self._position

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self._bounds.read_bytes:
            raise PackageProblem("its archive has a header that is too large")
        pieces: list[bytes] = []
        while size > 0 and (piece := self._read_some(size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _read_some(self, size: int) -> bytes:
        piece = self._archive.read(size) if self._stream is None else self._decompress(size)
        self._position += len(piece)
        if self._position > self._bounds.data_bytes:
            raise PackageProblem(f"its archive holds more than {self._bounds.data_bytes >> 20} MB")
        return piece

    def _decompress(self, size: int) -> bytes:
        stream = self._stream
        assert stream is not None
        while not stream.eof:
            data = stream.unconsumed_tail or self._archive.read(_COPY_BYTES)
            piece = stream.decompress(data, size)
            if piece:
                return piece
            if not data and not stream.eof:
                raise EOFError
        return b""
