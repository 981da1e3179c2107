"""What is in files: opening, reading and writing whole or in part, copying, cutting."""

from __future__ import annotations

import os
import stat as modes

from ..problems import SystemCallFailed
from .fs_calls import CLOEXEC, READ_BYTES, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .fs_calls import Path

COPY_EXCLUSIVE = 1


def open_file(path: Path, flags: int, mode: int) -> int:
    try:
        return os.open(path, flags | CLOEXEC, mode)
    except OSError as error:
        raise SystemCallFailed(error, "open", shown(path)) from error


def is_steady(descriptor: int) -> bool:
    """Whether reading does not wait: true for regular files, and for what cannot be asked."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return True
    return not (modes.S_ISFIFO(mode) or modes.S_ISSOCK(mode) or modes.S_ISCHR(mode))


def read_into(descriptor: int, buffer: Any, offset: int, length: int, position: int | None) -> int:
    try:
        part = memoryview(buffer)[offset : offset + length]
        return os.readv(descriptor, [part]) if position is None else os.preadv(descriptor, [part], position)
    except OSError as error:
        raise SystemCallFailed(error, "read") from error


def write_part(descriptor: int, data: Any, position: int | None) -> int:
    try:
        if position is None:
            return os.write(descriptor, data)
        return os.pwrite(descriptor, data, position)
    except OSError as error:
        raise SystemCallFailed(error, "write") from error


def write_all(descriptor: int, data: Any) -> None:
    written = 0
    while written < len(data):
        try:
            written += os.write(descriptor, data[written:] if written else data)
        except BlockingIOError:
            import select

            select.select([], [descriptor], [])
        except OSError as error:
            raise SystemCallFailed(error, "write") from error


def read_file(file: Path | int, flags: int) -> bytes:
    if isinstance(file, int):
        return _read_all(file)
    descriptor = open_file(file, flags, 0o666)
    try:
        return _read_all(descriptor)
    finally:
        os.close(descriptor)


def _read_all(descriptor: int) -> bytes:
    try:
        size = os.fstat(descriptor).st_size
        data = os.read(descriptor, size + 1 if size else READ_BYTES)
        if 0 < size == len(data):
            return data
        blocks = [data]
        while data:
            data = os.read(descriptor, READ_BYTES if size == 0 else max(READ_BYTES, size))
            blocks.append(data)
        return blocks[0] if len(blocks) == 2 else b"".join(blocks)
    except OSError as error:
        raise SystemCallFailed(error, "read") from error


def copy_file(source: Path, target: Path, mode: int) -> None:
    try:
        read = os.open(source, os.O_RDONLY | CLOEXEC)
        try:
            about = os.fstat(read)
            if modes.S_ISDIR(about.st_mode):
                os.read(read, 1)
            exclusive = os.O_EXCL if mode & COPY_EXCLUSIVE else 0
            write = os.open(target, os.O_WRONLY | os.O_CREAT | CLOEXEC | exclusive, modes.S_IMODE(about.st_mode))
            try:
                if os.path.samestat(about, os.fstat(write)):
                    return
                os.ftruncate(write, 0)
                os.fchmod(write, modes.S_IMODE(about.st_mode))
                _copy_data(read, write, about.st_size)
            finally:
                os.close(write)
        finally:
            os.close(read)
    except OSError as error:
        raise SystemCallFailed(error, "copyfile", shown(source), shown(target)) from error


def _copy_data(read: int, write: int, size: int) -> None:
    try:
        while os.sendfile(write, read, None, max(size, READ_BYTES)):
            pass
    except OSError:
        while data := os.read(read, READ_BYTES):
            while data:
                data = data[os.write(write, data) :]


def truncate(path: Path, size: int) -> None:
    descriptor = open_file(path, os.O_RDWR, 0o666)
    try:
        os.ftruncate(descriptor, size)
    except OSError as error:
        raise SystemCallFailed(error, "ftruncate") from error
    finally:
        os.close(descriptor)
