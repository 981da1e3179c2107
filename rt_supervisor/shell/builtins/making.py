"""mkdir, rmdir, touch, ln."""

from __future__ import annotations

import os

from .modes import changed_mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call


def mkdir(call: Call) -> int:
    options = call.options("pv", "m", {"parents": "p", "verbose": "v", "mode": "m"})
    if not options.operands:
        return call.fail("missing operand\nusage: mkdir [-pv] [-m mode] directory_name ...")
    mask = call.shell.session.mask
    mode = None
    if options.has("m"):
        mode = changed_mode(options.get("m"), 0o777 & ~mask, mask)
        if mode is None:
            return call.fail(f"invalid mode '{options.get('m')}'")
    status = 0
    for name in options.operands:
        try:
            made = _make_all(call, name) if options.has("p") else [name]
            if not options.has("p"):
                os.mkdir(call.path(name) if name else "", 0o777)
            if mode is not None and made:
                os.chmod(call.path(name), mode)
        except (OSError, ValueError) as error:
            status = call.refused(name, error)
            continue
        for each in made if options.has("v") else ():
            call.out.text(f"mkdir: created directory '{each}'\n")
    return status


def _make_all(call: Call, name: str) -> list[str]:
    """Make `name` with all folders above it, and return those that were not there. Raises OSError."""
    if not name:
        raise FileNotFoundError(2, os.strerror(2))
    made = []
    at = 0
    while at >= 0:
        at = name.find("/", at + 1)
        part = name if at < 0 else name[:at]
        if not part:
            continue
        try:
            os.mkdir(call.path(part), 0o777)
            made.append(part)
        except FileExistsError:
            if not os.path.isdir(call.path(part)):
                if at >= 0:
                    raise NotADirectoryError(20, os.strerror(20)) from None
                raise
        except OSError:
            if not os.path.isdir(call.path(part)):
                raise
    return made


def rmdir(call: Call) -> int:
    options = call.options("pv", "", {"parents": "p", "ignore-fail-on-non-empty": "i"} | {"verbose": "v"})
    if not options.operands:
        return call.fail("missing operand")
    status = 0
    for name in options.operands:
        part = name.rstrip("/") or name
        while part:
            try:
                os.rmdir(call.path(part))
            except (OSError, ValueError) as error:
                if not (options.has("i") and isinstance(error, OSError) and error.errno == 39):
                    status = call.refused(part, error)
                break
            part = part.rpartition("/")[0] if options.has("p") else ""
    return status


def touch(call: Call) -> int:
    options = call.options("acm", "rdt", {"no-create": "c", "reference": "r", "date": "d"})
    if options.has("t") or (options.has("d") and not options.get("d").startswith("@")):
        from .calls import NotCovered

        raise NotCovered("dates are left to the system's touch")
    if not options.operands:
        return call.fail("missing file operand")
    times: tuple[int, int] | None = None
    if options.has("r"):
        try:
            found = os.stat(call.path(options.get("r")))
        except (OSError, ValueError) as error:
            return call.refused(options.get("r"), error)
        times = (found.st_atime_ns, found.st_mtime_ns)
    elif options.has("d"):
        try:
            at = int(float(options.get("d")[1:]) * 1e9)
        except ValueError:
            return call.fail(f"invalid date format '{options.get('d')}'")
        times = (at, at)
    status = 0
    for name in options.operands:
        try:
            if not name:
                raise FileNotFoundError(2, os.strerror(2))
            path = call.path(name)
            if not os.path.exists(path):
                if options.has("c"):
                    continue
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666))
            _set_times(path, times, keeps_access=options.has("m"), keeps_change=options.has("a"))
        except (OSError, ValueError) as error:
            status = call.refused(name, error)
    return status


def _set_times(path: str, times: tuple[int, int] | None, *, keeps_access: bool, keeps_change: bool) -> None:
    if times is None and keeps_access == keeps_change:
        os.utime(path)
        return
    import time

    found = os.stat(path)
    access, change = times if times is not None else (time.time_ns(), time.time_ns())
    if keeps_access and not keeps_change:
        access = found.st_atime_ns
    if keeps_change and not keeps_access:
        change = found.st_mtime_ns
    os.utime(path, ns=(access, change))


def ln(call: Call) -> int:
    options = call.options("sfnvT", "", {"symbolic": "s", "force": "f", "verbose": "v", "no-dereference": "n"})
    names = options.operands
    if not names:
        return call.fail("missing file operand")
    target_folder = names[-1] if len(names) > 1 else "."
    into = os.path.isdir(call.path(target_folder)) and not (
        (options.has("n") or options.has("T")) and os.path.islink(call.path(target_folder))
    )
    if len(names) > 2 and not into:
        return call.fail(f"target '{names[-1]}' is not a directory")
    status = 0
    for source in names[:-1] or names:
        place = source.rstrip("/").rpartition("/")[2] or source
        target = f"{target_folder.rstrip('/') or '/'}/{place}" if into and not options.has("T") else target_folder
        try:
            path = call.path(target)
            if options.has("f") and os.path.lexists(path):
                os.unlink(path)
            if options.has("s"):
                os.symlink(source, path)
            else:
                os.link(call.path(source), path, follow_symlinks=False)
        except (OSError, ValueError) as error:
            status = call.refused(target if os.path.lexists(call.path(target)) else source, error)
            continue
        if options.has("v"):
            call.out.text(f"'{target}' {'->' if options.has('s') else '=>'} '{source}'\n")
    return status
