"""ls: names in one column, in several on a terminal, or with all details (`-l`)."""

from __future__ import annotations

import os
import stat

from ..state import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call, Options

_HALF_A_YEAR_S = 15_778_476


def ls(call: Call) -> int:
    long = {"all": "a", "almost-all": "A", "directory": "d", "recursive": "R", "reverse": "r", "human-readable": "h"}
    options = call.options("aAlRrtS1dFphiCUogn", "", long)
    status = 0
    files: list[tuple[str, os.stat_result]] = []
    folders: list[str] = []
    for name in options.operands or ["."]:
        try:
            follows = not options.has("l") or name.endswith("/")
            found = os.stat(call.path(name)) if follows else os.lstat(call.path(name))
        except OSError as error:
            try:
                found = os.lstat(call.path(name))
            except OSError:
                status = call.report_os_error(name, error)
                continue
        except ValueError as error:
            status = call.report_os_error(name, error)
            continue
        if stat.S_ISDIR(found.st_mode) and not options.has("d"):
            folders.append(name)
        else:
            files.append((name, found))
    _show(call, options, _sort(files, options))
    folders.sort(reverse=options.has("r"))
    heads = len(folders) > 1 or bool(files) or bool(status) or options.has("R") or len(options.operands) > 1
    blank = bool(files)
    while folders:
        name = folders.pop(0)
        if heads:
            call.out.text(("\n" if blank else "") + f"{name}:\n")
        blank = True
        try:
            entries = _entries(call, name, options)
        except OSError as error:
            status = call.report_os_error(name, error)
            continue
        if options.has("l"):
            blocks = sum(found.st_blocks for _, found in entries) // 2
            call.out.text(f"total {_human(blocks * 1024) if options.has('h') else blocks}\n")
        _show(call, options, entries, name)
        if options.has("R"):
            below = [each for each, found in entries if stat.S_ISDIR(found.st_mode) and each not in (".", "..")]
            folders[:0] = [f"{name.rstrip('/')}/{each}" if name != "/" else f"/{each}" for each in below]
    return status


def _entries(call: Call, folder: str, options: Options) -> list[tuple[str, os.stat_result]]:
    path = call.path(folder)
    names = os.listdir(path)
    if options.has("a"):
        names += [".", ".."]
    elif not options.has("A"):
        names = [name for name in names if not name.startswith(".")]
    entries: list[tuple[str, os.stat_result]] = []
    if not any(options.has(letter) for letter in "lRtSFpi"):
        nothing = os.stat_result((0,) * 10)
        return _sort([(name, nothing) for name in names], options)
    for name in names:
        try:
            entries.append((name, os.lstat(f"{path}/{name}")))
        except OSError:
            continue  # deleted meanwhile
    return _sort(entries, options)


def _sort(entries: list[tuple[str, os.stat_result]], options: Options) -> list[tuple[str, os.stat_result]]:
    if options.has("U"):
        return entries
    entries.sort(key=lambda entry: encoded(entry[0]))
    if options.has("t"):
        entries.sort(key=lambda entry: -entry[1].st_mtime_ns)
    if options.has("S"):
        entries.sort(key=lambda entry: -entry[1].st_size)
    if options.has("r"):
        entries.reverse()
    return entries


def _show(call: Call, options: Options, entries: list[tuple[str, os.stat_result]], folder: str = "") -> None:
    if not entries:
        return
    if any(options.has(letter) for letter in "lgon"):
        _show_long(call, options, entries, folder)
        return
    names = [_add_marker(name, found, options) for name, found in entries]
    if options.has("i"):
        names = [f"{found.st_ino} {name}" for name, (_, found) in zip(names, entries, strict=True)]
    is_terminal = os.isatty(call.io.get(1, -1)) if call.io.get(1, -1) >= 0 else False
    if (is_terminal or options.has("C")) and not options.has("1"):
        call.out.text(_columns(names, call))
    else:
        call.out.text("".join(f"{name}\n" for name in names))


def _add_marker(name: str, found: os.stat_result, options: Options) -> str:
    if stat.S_ISDIR(found.st_mode) and (options.has("F") or options.has("p")):
        return name + "/"
    if options.has("F"):
        if stat.S_ISLNK(found.st_mode):
            return name + "@"
        if stat.S_ISREG(found.st_mode) and found.st_mode & 0o111:
            return name + "*"
    return name


def _columns(names: list[str], call: Call) -> str:
    try:
        width = os.get_terminal_size(call.io[1]).columns
    except OSError:
        width = 80
    for rows in range(1, len(names) + 1):
        columns = [names[start : start + rows] for start in range(0, len(names), rows)]
        widths = [max(map(len, column)) + 2 for column in columns]
        if sum(widths) - 2 <= width:
            break
    lines = []
    for row in range(rows):
        cells = [column[row].ljust(wide) for column, wide in zip(columns, widths, strict=True) if row < len(column)]
        lines.append("".join(cells).rstrip() + "\n")
    return "".join(lines)


def _show_long(call: Call, options: Options, entries: list[tuple[str, os.stat_result]], folder: str) -> None:
    import time

    now = time.time()
    rows = []
    for name, found in entries:
        age = now - found.st_mtime
        form = "%b %e %H:%M" if -60 <= age < _HALF_A_YEAR_S else "%b %e  %Y"
        size = _human(found.st_size) if options.has("h") else str(found.st_size)
        shown = _add_marker(name, found, options)
        if stat.S_ISLNK(found.st_mode):
            shown += _target(call.path(f"{folder}/{name}" if folder else name))
        row = [stat.filemode(found.st_mode), str(found.st_nlink)]
        if not options.has("g"):
            row.append(_user(found.st_uid, options))
        if not options.has("o"):
            row.append(_group(found.st_gid, options))
        rows.append([*row, size, time.strftime(form, time.localtime(found.st_mtime)), shown])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [
            cell.rjust(wide) if place in (1, len(row) - 3) else cell.ljust(wide)
            for place, (cell, wide) in enumerate(zip(row, widths, strict=False))
        ]
        call.out.text(" ".join([*cells, row[-1]]) + "\n")


def _target(path: str) -> str:
    try:
        return f" -> {os.readlink(path)}"
    except OSError:
        return ""


def _user(number: int, options: Options) -> str:
    import pwd

    try:
        return str(number) if options.has("n") else pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int, options: Options) -> str:
    import grp

    try:
        return str(number) if options.has("n") else grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _human(size: int) -> str:
    if size < 1024:
        return str(size)
    value = float(size)
    for unit in "KMGTP":
        value /= 1024
        if value < 1024 or unit == "P":
            break
    import math

    return f"{math.ceil(value * 10) / 10:.1f}{unit}" if value < 9.95 else f"{math.ceil(value)}{unit}"
