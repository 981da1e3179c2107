"""What `js/fs*.js` asks of the file system: one function a system call, errors raised as SystemCallFailed.

Arguments were checked by JavaScript. Paths are text, or bytes where the program gave bytes. Times are milliseconds, or
BigInt nanoseconds in the big form. What is done is in `fs_data.py`, `fs_status.py`, `fs_folders.py` and `fs_trees.py`.
"""

from __future__ import annotations

import os

from ..problems import SystemCallFailed
from . import fs_trees
from .fs_calls import encoded, on_descriptor, on_path, on_two_paths, shown
from .fs_data import copy_file, is_steady, open_file, read_file, read_into, truncate, write_all, write_part
from .fs_folders import make_temporary_folder, readdir, realpath
from .fs_status import access, exists, lstat, stat, statfs, status_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker
    from .fs_calls import Path


def operations(worker: EngineWorker) -> dict[str, Any]:
    output = worker.output

    def settled(descriptor: int) -> int:
        """What was printed before comes first when the program writes to a standard stream itself."""
        if descriptor in (1, 2):
            output.flush()
        return descriptor

    def write_buffer(descriptor: int, data: Any, offset: int, length: int, position: int | None) -> int:
        return write_part(settled(descriptor), memoryview(data)[offset : offset + length], position)

    def write_text(descriptor: int, text: str, position: int | None) -> int:
        return write_part(settled(descriptor), encoded(text), position)

    def write_file(file: Path | int, data: Any, flags: int, mode: int) -> None:
        data = encoded(data) if isinstance(data, str) else data
        if isinstance(file, int):
            write_all(settled(file), memoryview(data))
            return
        descriptor = open_file(file, flags, mode)
        try:
            write_all(descriptor, memoryview(data))
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
        "open": open_file,
        "close": on_descriptor("close", os.close),
        "isSteady": is_steady,
        "readInto": read_into,
        "readLater": read_later,
        "writeBuffer": write_buffer,
        "writeText": write_text,
        "readFile": read_file,
        "readText": lambda file, flags: read_file(file, flags).decode("utf-8", "replace"),
        "writeFile": write_file,
        "stat": stat,
        "lstat": lstat,
        "fstat": lambda descriptor, big: status_of(os.fstat, descriptor, "fstat", big, None),
        "exists": exists,
        "access": access,
        "readdir": readdir,
        "mkdir": on_path("mkdir", os.mkdir),
        "mkdirs": fs_trees.make_folders,
        "rmdir": on_path("rmdir", os.rmdir),
        "unlink": on_path("unlink", os.unlink),
        "rm": fs_trees.remove,
        "rename": on_two_paths("rename", os.rename),
        "copyFile": copy_file,
        "realpath": realpath,
        "readlink": lambda path: shown(on_path("readlink", os.readlink)(path)),
        "symlink": on_two_paths("symlink", os.symlink),
        "link": on_two_paths("link", os.link),
        "chmod": on_path("chmod", os.chmod),
        "fchmod": on_descriptor("fchmod", os.fchmod),
        "chown": on_path("chown", os.chown),
        "lchown": on_path("lchown", os.lchown),
        "fchown": on_descriptor("fchown", os.fchown),
        "utimes": on_path("utime", lambda path, accessed, changed: os.utime(path, (accessed, changed))),
        "lutimes": on_path(
            "lutime", lambda path, accessed, changed: os.utime(path, (accessed, changed), follow_symlinks=False)
        ),
        "futimes": on_descriptor("futime", lambda fd, accessed, changed: os.utime(fd, (accessed, changed))),
        "truncate": truncate,
        "ftruncate": on_descriptor("ftruncate", os.ftruncate),
        "fsync": on_descriptor("fsync", os.fsync),
        "fdatasync": on_descriptor("fdatasync", os.fdatasync),
        "mkdtemp": make_temporary_folder,
        "statfs": statfs,
    }
