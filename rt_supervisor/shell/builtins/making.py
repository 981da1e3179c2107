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
        mode = changed_mode(options.get("m"), 0o777, mask)
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
            status = call.report_os_error(name, error)
            continue
        for each in made if options.has("v") else ():
            call.out.text(f"mkdir: created directory '{each}'\n")
    return status


def _make_all(call: Call, name: str) -> list[str]:
    """Create `name` with all missing parents, and return the folders created. Raises OSError."""
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
            if options.has("v"):
                call.out.text(f"rmdir: removing directory, '{part}'\n")
            try:
                os.rmdir(call.path(part))
            except (OSError, ValueError) as error:
                if not (options.has("i") and isinstance(error, OSError) and error.errno == 39):
                    status = call.report_os_error(part, error)
                break
            part = part.rpartition("/")[0] if options.has("p") else ""
    return status


def touch(call: Call) -> int:
    options = call.options("acmf", "rdt", {"no-create": "c", "reference": "r", "date": "d"})
    if not options.operands:
        return call.fail("missing file operand")
    times: tuple[int, int] | None = None
    if options.has("r"):
        try:
            found = os.stat(call.path(options.get("r")))
        except (OSError, ValueError) as error:
            return call.report_os_error(options.get("r"), error)
        times = (found.st_atime_ns, found.st_mtime_ns)
    elif options.has("d") or options.has("t"):
        from .dates import nanoseconds_of, zone_of

        text = options.get("d") if options.has("d") else _in_words(options.get("t"))
        at = nanoseconds_of(text, zone_of(call)) if text else None
        if at is None:
            return call.fail(f"invalid date format '{options.get('d') or options.get('t')}'")
        times = (at, at)
    status = 0
    for name in options.operands:
        try:
            if not name:
                raise FileNotFoundError(2, os.strerror(2))
            if name == "-":
                _set_times(call.io.get(1, -1), times, keeps_access=options.has("m"), keeps_change=options.has("a"))
                continue
            path = call.path(name)
            if not os.path.exists(path):
                if options.has("c"):
                    continue
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666))
            _set_times(path, times, keeps_access=options.has("m"), keeps_change=options.has("a"))
        except (OSError, ValueError) as error:
            status = call.report_os_error(name, error)
    return status


def _in_words(text: str) -> str:
    """Return `[[CC]YY]MMDDhhmm[.ss]` (POSIX touch -t) as a date and a time; "" if it is invalid."""
    digits, dot, seconds = text.partition(".")
    if (
        not digits.isdecimal()
        or len(digits) not in (8, 10, 12)
        or (dot and not (len(seconds) == 2 and seconds.isdecimal()))
    ):
        return ""
    if len(digits) == 8:
        import time

        digits = f"{time.localtime().tm_year}{digits}"
    elif len(digits) == 10:
        digits = ("19" if digits >= "69" else "20") + digits
    year, month, day, hour, minute = digits[:4], digits[4:6], digits[6:8], digits[8:10], digits[10:]
    return f"{year}-{month}-{day} {hour}:{minute}:{seconds or '00'}"


def _set_times(path: str | int, times: tuple[int, int] | None, *, keeps_access: bool, keeps_change: bool) -> None:
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


_LN_OPTIONS = {
    "symbolic": "s",
    "force": "f",
    "verbose": "v",
    "no-dereference": "n",
    "relative": "r",
    "target-directory": "t",
}


def ln(call: Call) -> int:
    options = call.options("sfnvTrP", "t", _LN_OPTIONS)
    names = options.operands
    if not names:
        return call.fail("missing file operand")
    if options.has("t"):
        names = [*names, options.get("t")]
    target_folder = names[-1] if len(names) > 1 else "."
    into = os.path.isdir(call.path(target_folder)) and not (
        (options.has("n") or options.has("T")) and os.path.islink(call.path(target_folder))
    )
    if (len(names) > 2 or options.has("t")) and not into:
        return call.fail(f"target '{names[-1]}' is not a directory")
    status = 0
    for source in names[:-1] or names:
        place = source.rstrip("/").rpartition("/")[2] or source
        target = f"{target_folder.rstrip('/') or '/'}/{place}" if into and not options.has("T") else target_folder
        try:
            path = call.path(target)
            if options.has("f") and os.path.lexists(path):
                if _is_same_name(call.path(source), path):
                    status = call.fail(f"'{source}' and '{target}' are the same file")
                    continue
                os.unlink(path)
            if options.has("s"):
                os.symlink(_from_folder_of(path, call.path(source)) if options.has("r") else source, path)
            else:
                os.link(call.path(source), path, follow_symlinks=False)
        except (OSError, ValueError) as error:
            status = call.report_os_error(target if os.path.lexists(call.path(target)) else source, error)
            continue
        if options.has("v"):
            call.out.text(f"'{target}' {'->' if options.has('s') else '=>'} '{source}'\n")
    return status


def _from_folder_of(link: str, path: str) -> str:
    """Return `path` relative to the folder of `link`."""
    return os.path.relpath(os.path.realpath(path), os.path.realpath(os.path.dirname(link) or "/"))


def _is_same_name(path: str, other: str) -> bool:
    """Return whether both name the same entry of the same folder, even if it is a link."""
    folder, name = os.path.split(path.rstrip("/"))
    other_folder, other_name = os.path.split(other.rstrip("/"))
    return name == other_name and os.path.realpath(folder) == os.path.realpath(other_folder)
