"""cp and mv."""

from __future__ import annotations

import errno
import os
import stat

from .calls import BLOCK_BYTES
from .removing import protected_folders, refuses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call, Options

_COPIED_AT_ONCE = 1 << 24


def cp(call: Call) -> int:
    long = {"recursive": "r", "archive": "a", "force": "f", "no-clobber": "n", "verbose": "v", "update": "u"}
    options = call.options("rRafnvpdPLuT", "t", long | {"target-directory": "t", "no-target-directory": "T"})
    return _each(call, options, _Copy(call, options).run)


def mv(call: Call) -> int:
    long = {"force": "f", "no-clobber": "n", "verbose": "v", "target-directory": "t", "no-target-directory": "T"}
    options = call.options("fnvuT", "t", long | {"update": "u"})
    return _each(call, options, lambda source, target: _move(call, options, source, target))


def _each(call: Call, options: Options, act) -> int:  # type: ignore[no-untyped-def]
    names = options.operands
    folder = options.get("t") if options.has("t") else ""
    if not names or (len(names) == 1 and not folder):
        message = f"missing destination file operand after '{names[0]}'" if names else "missing file operand"
        return call.fail(message)
    sources, target = (names, folder) if folder else (names[:-1], names[-1])
    into = os.path.isdir(call.path(target)) and not options.has("T")
    if not into and (len(sources) > 1 or folder):
        return call.fail(f"{target}: Not a directory")
    status = 0
    for source in sources:
        base = source.rstrip("/").rpartition("/")[2]
        place = f"{target.rstrip('/') or '/'}/{base}".replace("//", "/") if into else target
        status = act(source, place) or status
    return status


def _move(call: Call, options: Options, source: str, target: str) -> int:
    path, place = call.path(source), call.path(target)
    try:
        found = os.lstat(path)
        there = os.lstat(place) if os.path.lexists(place) else None
        if there is not None:
            if options.has("n") or (options.has("u") and there.st_mtime_ns >= found.st_mtime_ns):
                return 0
            if os.path.samestat(found, there):
                return call.fail(f"'{source}' and '{target}' are the same file")
            if stat.S_ISDIR(there.st_mode) and not stat.S_ISDIR(found.st_mode):
                return call.fail(f"cannot overwrite directory '{target}' with non-directory")
            if stat.S_ISDIR(found.st_mode) and not stat.S_ISDIR(there.st_mode):
                return call.fail(f"cannot overwrite non-directory '{target}' with directory '{source}'")
        if stat.S_ISDIR(found.st_mode):
            if refuses(call, source, protected_folders(call)):
                return 1
            if f"{os.path.realpath(place)}/".startswith(f"{os.path.realpath(path)}/"):
                return call.fail(f"cannot move '{source}' to a subdirectory of itself, '{target}'")
        try:
            os.rename(path, place)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            status = _Copy(call, options, keeps_all=True).run(source, target)
            if status == 0:
                _remove_copied(path)
            return status
    except OSError as error:
        return call.report_os_error(source if error.filename == path or not error.filename2 else target, error)
    except ValueError as error:
        return call.report_os_error(source, error)
    if options.has("v"):
        call.out.text(f"renamed '{source}' -> '{target}'\n")
    return 0


def _remove_copied(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        import shutil

        shutil.rmtree(path)
    else:
        os.unlink(path)


class _Copy:
    """Copies files; with `-r` also folders, and links and pipes as such."""

    def __init__(self, call: Call, options: Options, *, keeps_all: bool = False) -> None:
        self._call = call
        self._options = options
        self._keeps_all = keeps_all
        self._is_deep = keeps_all or any(options.has(letter) for letter in "rRa")
        self._preserves = keeps_all or options.has("p") or options.has("a")
        self._keeps_links = (self._is_deep and not options.has("L")) or options.has("d") or options.has("P")

    def run(self, source: str, target: str) -> int:
        call = self._call
        try:
            follows = not self._keeps_links or (source.endswith("/") and not self._keeps_all)
            found = os.stat(call.path(source)) if follows else os.lstat(call.path(source))
        except (OSError, ValueError) as error:
            return call.report_os_error(source, error)
        if stat.S_ISDIR(found.st_mode):
            if not self._is_deep:
                return call.fail(f"-r not specified; omitting directory '{source}'")
            real, place = os.path.realpath(call.path(source)), os.path.realpath(call.path(target))
            if f"{place}/".startswith(f"{real}/"):
                return call.fail(f"cannot copy a directory, '{source}', into itself, '{target}'")
            return self._folders(source.rstrip("/") or "/", target)
        return self._one(source, target, found)

    def _folders(self, source: str, target: str) -> int:
        status = 0
        waiting = [(source, target)]
        finished: list[tuple[str, str]] = []
        while waiting:
            source, target = waiting.pop()
            path, place = self._call.path(source), self._call.path(target)
            try:
                if not os.path.isdir(place):
                    os.mkdir(place)
                    self._print_copied(source, target)
                finished.append((path, place))
                with os.scandir(path) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                status = self._call.report_os_error(target if isinstance(error, FileExistsError) else source, error)
                continue
            for entry in listed:
                names = f"{source}/{entry.name}", f"{target}/{entry.name}"
                if entry.is_dir(follow_symlinks=not self._keeps_links):
                    waiting.append(names)
                    continue
                try:
                    found = entry.stat(follow_symlinks=not self._keeps_links)
                except OSError as error:
                    status = self._call.report_os_error(names[0], error)
                    continue
                status = self._one(*names, found) or status
        for path, place in reversed(finished):
            self._take_over(os.stat(path), place)
        return status

    def _one(self, source: str, target: str, found: os.stat_result) -> int:
        call = self._call
        path, place = call.path(source), call.path(target)
        try:
            there = os.stat(place) if os.path.exists(place) else None
            if there is not None:
                if self._options.has("n") or (self._options.has("u") and there.st_mtime_ns >= found.st_mtime_ns):
                    return 0
                if os.path.samestat(found, there):
                    return call.fail(f"'{source}' and '{target}' are the same file")
                if stat.S_ISDIR(there.st_mode):
                    return call.fail(f"cannot overwrite directory '{target}' with non-directory")
            if stat.S_ISLNK(found.st_mode):
                if os.path.lexists(place):
                    os.unlink(place)
                os.symlink(os.readlink(path), place)
            elif stat.S_ISFIFO(found.st_mode) and self._is_deep:
                os.mkfifo(place, found.st_mode & 0o777)
            else:
                self._contents(path, place, found)
                if self._preserves:
                    self._take_over(found, place)
        except OSError as error:
            return call.report_os_error(target if error.filename == place else source, error)
        except ValueError as error:
            return call.report_os_error(source, error)
        self._print_copied(source, target)
        return 0

    def _contents(self, path: str, place: str, found: os.stat_result) -> None:
        reader = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
            try:
                writer = os.open(place, flags, found.st_mode & 0o777)
            except PermissionError:
                if not self._options.has("f"):
                    raise
                os.unlink(place)
                writer = os.open(place, flags, found.st_mode & 0o777)
            try:
                _copy_bytes(reader, writer)
            finally:
                os.close(writer)
        finally:
            os.close(reader)

    def _take_over(self, found: os.stat_result, place: str) -> None:
        if not self._preserves:
            if stat.S_ISDIR(found.st_mode):
                os.chmod(place, found.st_mode & 0o777 & ~self._call.shell.session.mask | 0o700 & found.st_mode)
            return
        try:
            if os.geteuid() == 0 and (self._keeps_all or self._options.has("a") or self._options.has("p")):
                os.chown(place, found.st_uid, found.st_gid)
        except OSError:
            pass
        os.chmod(place, stat.S_IMODE(found.st_mode))
        os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))

    def _print_copied(self, source: str, target: str) -> None:
        if self._options.has("v"):
            self._call.out.text(f"'{source}' -> '{target}'\n")


def _copy_bytes(reader: int, writer: int) -> None:
    """Copy in the kernel if possible."""
    try:
        while os.copy_file_range(reader, writer, _COPIED_AT_ONCE):
            pass
        if os.fstat(writer).st_size:
            return
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF):
            raise
    while block := os.read(reader, BLOCK_BYTES):
        view = memoryview(block)
        while view:
            view = view[os.write(writer, view) :]
