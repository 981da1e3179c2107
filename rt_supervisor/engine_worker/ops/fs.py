"""What `js/fs*.js` asks of the file system: one function a system call, errors raised as SystemCallFailed.

Arguments were checked by JavaScript. Paths are text, or bytes where the program gave bytes. Times are milliseconds, or
BigInt nanoseconds in the big form. Whole trees are in `fs_trees.py`.
"""

from __future__ import annotations

import os
import stat as modes

from ... import _native
from ..problems import SystemCallFailed
from . import fs_trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..worker import EngineWorker

    Path = str | bytes

CLOEXEC = os.O_CLOEXEC
READ_BYTES = 64 * 1024
COPY_EXCLUSIVE = 1
MISSING = (FileNotFoundError, NotADirectoryError)
TYPES = {
    modes.S_IFREG: 1, modes.S_IFDIR: 2, modes.S_IFLNK: 3, modes.S_IFIFO: 4, modes.S_IFSOCK: 5, modes.S_IFCHR: 6,
    modes.S_IFBLK: 7,
}  # fmt: skip


def operations(worker: EngineWorker) -> dict[str, Any]:
    output = worker.output

    def settled(descriptor: int) -> int:
        """What was printed before comes first when the program writes to a standard stream itself."""
        if descriptor in (1, 2):
            output.flush()
        return descriptor

    def write_buffer(descriptor: int, data: Any, offset: int, length: int, position: int | None) -> int:
        return _write(settled(descriptor), memoryview(data)[offset : offset + length], position)

    def write_text(descriptor: int, text: str, position: int | None) -> int:
        return _write(settled(descriptor), _encoded(text), position)

    def write_file(file: Path | int, data: Any, flags: int, mode: int) -> None:
        data = _encoded(data) if isinstance(data, str) else data
        if isinstance(file, int):
            _write_all(settled(file), memoryview(data))
            return
        descriptor = _open(file, flags, mode)
        try:
            _write_all(descriptor, memoryview(data))
        finally:
            os.close(descriptor)

    def read_later(descriptor: int, size: int, callback: Any) -> None:
        """Read from what may block (a pipe, a terminal) when it is readable; `callback(bytes or the error)`."""

        def ready() -> None:
            worker.loop.unwatch(descriptor)
            worker.loop.references -= 1
            try:
                answer: Any = os.read(descriptor, size)
            except OSError as error:
                answer = worker.as_js_error(SystemCallFailed(error, "read"))
            worker.entry.invoke("call", callback, answer)

        worker.loop.references += 1
        try:
            worker.loop.watch(descriptor, ready)
        except OSError:  # not a descriptor one can wait for
            worker.loop.complete(ready)

    return {
        "open": _open,
        "close": _on_descriptor("close", os.close),
        "isSteady": _is_steady,
        "readInto": _read_into,
        "readLater": read_later,
        "writeBuffer": write_buffer,
        "writeText": write_text,
        "readFile": _read_file,
        "readText": lambda file, flags: _read_file(file, flags).decode("utf-8", "replace"),
        "writeFile": write_file,
        "stat": _stat,
        "lstat": _lstat,
        "fstat": lambda descriptor, big: _status(os.fstat, descriptor, "fstat", big, None),
        "exists": _exists,
        "access": _access,
        "readdir": _readdir,
        "mkdir": _on_path("mkdir", os.mkdir),
        "mkdirs": fs_trees.make_folders,
        "rmdir": _on_path("rmdir", os.rmdir),
        "unlink": _on_path("unlink", os.unlink),
        "rm": fs_trees.remove,
        "rename": _on_two_paths("rename", os.rename),
        "copyFile": _copy_file,
        "realpath": _realpath,
        "readlink": lambda path: _shown(_on_path("readlink", os.readlink)(path)),
        "symlink": _on_two_paths("symlink", os.symlink),
        "link": _on_two_paths("link", os.link),
        "chmod": _on_path("chmod", os.chmod),
        "fchmod": _on_descriptor("fchmod", os.fchmod),
        "chown": _on_path("chown", os.chown),
        "lchown": _on_path("lchown", os.lchown),
        "fchown": _on_descriptor("fchown", os.fchown),
        "utimes": _on_path("utime", lambda path, accessed, changed: os.utime(path, (accessed, changed))),
        "lutimes": _on_path(
            "lutime", lambda path, accessed, changed: os.utime(path, (accessed, changed), follow_symlinks=False)
        ),
        "futimes": _on_descriptor("futime", lambda fd, accessed, changed: os.utime(fd, (accessed, changed))),
        "truncate": _truncate,
        "ftruncate": _on_descriptor("ftruncate", os.ftruncate),
        "fsync": _on_descriptor("fsync", os.fsync),
        "fdatasync": _on_descriptor("fdatasync", os.fdatasync),
        "mkdtemp": _make_temporary_folder,
        "statfs": _statfs,
    }


def _on_path(syscall: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def operation(path: Path, *rest: Any) -> Any:
        try:
            return call(path, *rest)
        except OSError as error:
            raise SystemCallFailed(error, syscall, _shown(path)) from error

    return operation


def _on_two_paths(syscall: str, call: Callable[[Any, Any], None]) -> Callable[[Path, Path], None]:
    def operation(source: Path, target: Path) -> None:
        try:
            call(_bytes(source), _bytes(target))
        except OSError as error:
            raise SystemCallFailed(error, syscall, _shown(source), _shown(target)) from error

    return operation


def _on_descriptor(syscall: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def operation(descriptor: int, *rest: Any) -> Any:
        try:
            return call(descriptor, *rest)
        except OSError as error:
            raise SystemCallFailed(error, syscall) from error

    return operation


def _bytes(path: Path) -> bytes:
    return os.fsencode(path)


def _shown(path: Path) -> str:
    """A path as JavaScript text: bytes that are no UTF-8 become U+FFFD."""
    if isinstance(path, str) and path.isascii():
        return path
    return os.fsencode(path).decode("utf-8", "replace")


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # lone surrogates
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _open(path: Path, flags: int, mode: int) -> int:
    try:
        return os.open(path, flags | CLOEXEC, mode)
    except OSError as error:
        raise SystemCallFailed(error, "open", _shown(path)) from error


def _is_steady(descriptor: int) -> bool:
    """Whether reading does not wait: true for regular files, and for what cannot be asked."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return True
    return not (modes.S_ISFIFO(mode) or modes.S_ISSOCK(mode) or modes.S_ISCHR(mode))


def _read_into(descriptor: int, buffer: Any, offset: int, length: int, position: int | None) -> int:
    try:
        part = memoryview(buffer)[offset : offset + length]
        return os.readv(descriptor, [part]) if position is None else os.preadv(descriptor, [part], position)
    except OSError as error:
        raise SystemCallFailed(error, "read") from error


def _write(descriptor: int, data: Any, position: int | None) -> int:
    try:
        if position is None:
            return os.write(descriptor, data)
        return os.pwrite(descriptor, data, position)
    except OSError as error:
        raise SystemCallFailed(error, "write") from error


def _write_all(descriptor: int, data: Any) -> None:
    written = 0
    while written < len(data):
        try:
            written += os.write(descriptor, data[written:] if written else data)
        except BlockingIOError:
            import select

            select.select([], [descriptor], [])
        except OSError as error:
            raise SystemCallFailed(error, "write") from error


def _read_file(file: Path | int, flags: int) -> bytes:
    if isinstance(file, int):
        return _read_all(file)
    descriptor = _open(file, flags, 0o666)
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


def _stat(path: Path, big: bool, throws: bool) -> list[Any] | None:
    try:
        found = os.stat(path)
    except OSError as error:
        if not throws and isinstance(error, MISSING):
            return None
        raise SystemCallFailed(error, "stat", _shown(path)) from error
    return _figures(found) if not big else _big_figures(found)


def _lstat(path: Path, big: bool, throws: bool) -> list[Any] | None:
    try:
        return _status(os.lstat, path, "lstat", big, path)
    except SystemCallFailed as problem:
        if not throws and isinstance(problem.error, MISSING):
            return None
        raise


def _status(
    call: Callable[[Any], os.stat_result], subject: Any, syscall: str, big: bool, path: Path | None
) -> list[Any]:
    try:
        found = call(subject)
    except OSError as error:
        raise SystemCallFailed(error, syscall, None if path is None else _shown(path)) from error
    return _big_figures(found) if big else _figures(found)


def _figures(found: os.stat_result) -> list[Any]:
    """In the order of `Stats`; the kernel's birth time is out of reach, the oldest time known stands for it."""
    accessed, modified, changed = found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns
    return [
        found.st_dev, found.st_mode, found.st_nlink, found.st_uid, found.st_gid, found.st_rdev, found.st_blksize,
        found.st_ino, found.st_size, found.st_blocks, accessed / 1e6, modified / 1e6, changed / 1e6,
        min(accessed, modified, changed) / 1e6,
    ]  # fmt: skip


def _big_figures(found: os.stat_result) -> list[Any]:
    times = [found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns]
    times.append(min(times))
    whole = [
        found.st_dev, found.st_mode, found.st_nlink, found.st_uid, found.st_gid, found.st_rdev, found.st_blksize,
        found.st_ino, found.st_size, found.st_blocks, *(each // 1_000_000 for each in times), *times,
    ]  # fmt: skip
    return [_native.BigInt(each) for each in whole]


def _exists(path: Path) -> bool:
    try:
        return os.access(path, os.F_OK)
    except ValueError:
        return False


def _access(path: Path, mode: int) -> None:
    if os.access(path, mode):
        return
    import errno

    try:
        os.stat(path)
        number = errno.EROFS if mode & os.W_OK and _is_read_only(path) else errno.EACCES
    except OSError as error:
        number = error.errno or errno.EACCES
    raise SystemCallFailed(OSError(number, os.strerror(number)), "access", _shown(path))


def _is_read_only(path: Path) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _readdir(path: Path, typed: bool, syscall: str) -> list[Any]:
    """Names, and with `typed` their types after them (see TYPES; 0 is unknown)."""
    try:
        if not typed:
            names = os.listdir(os.fsdecode(path))
            return names if "".join(names).isascii() else [_shown(name) for name in names]
        with os.scandir(path) as entries:
            found = [(entry.name, _type_of(entry)) for entry in entries]
    except OSError as error:
        raise SystemCallFailed(error, syscall, None if syscall == "opendir" else _shown(path)) from error
    return [[_shown(name) for name, _ in found], [kind for _, kind in found]]


def _type_of(entry: os.DirEntry[Any]) -> int:
    if entry.is_file(follow_symlinks=False):
        return 1
    if entry.is_dir(follow_symlinks=False):
        return 2
    if entry.is_symlink():
        return 3
    try:
        return TYPES.get(modes.S_IFMT(entry.stat(follow_symlinks=False).st_mode), 0)
    except OSError:
        return 0


def _copy_file(source: Path, target: Path, mode: int) -> None:
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
        raise SystemCallFailed(error, "copyfile", _shown(source), _shown(target)) from error


def _copy_data(read: int, write: int, size: int) -> None:
    try:
        while os.sendfile(write, read, None, max(size, READ_BYTES)):
            pass
    except OSError:
        while data := os.read(read, READ_BYTES):
            while data:
                data = data[os.write(write, data) :]


def _realpath(path: Path, native: bool) -> str:
    try:
        return _shown(os.path.realpath(path, strict=True))
    except OSError as error:
        if native:
            raise SystemCallFailed(error, "realpath", _shown(path)) from error
        # Node walks the path itself: the part that fails is the one it names.
        raise SystemCallFailed(error, "lstat", _shown(os.path.abspath(error.filename or path))) from error


def _truncate(path: Path, size: int) -> None:
    descriptor = _open(path, os.O_RDWR, 0o666)
    try:
        os.ftruncate(descriptor, size)
    except OSError as error:
        raise SystemCallFailed(error, "ftruncate") from error
    finally:
        os.close(descriptor)


LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
MOST_ATTEMPTS = 100


def _make_temporary_folder(prefix: Path) -> str:
    for attempt in range(MOST_ATTEMPTS):
        ending = bytes(LETTERS[byte % len(LETTERS)] for byte in os.urandom(6))
        path = _bytes(prefix) + ending
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if attempt + 1 < MOST_ATTEMPTS:
                continue
            raise
        except OSError as error:
            raise SystemCallFailed(error, "mkdtemp", _shown(prefix) + "XXXXXX") from error
        return _shown(path)
    raise AssertionError("a free name is found or the last attempt raises")


def _statfs(path: Path, big: bool) -> list[Any]:
    try:
        found = os.statvfs(path)
    except OSError as error:
        raise SystemCallFailed(error, "statfs", _shown(path)) from error
    figures = [
        found.f_bsize,
        found.f_frsize,
        found.f_blocks,
        found.f_bfree,
        found.f_bavail,
        found.f_files,
        found.f_ffree,
    ]
    return [_native.BigInt(each) for each in figures] if big else list(figures)
