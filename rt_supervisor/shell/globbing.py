"""Pathname expansion (POSIX 2.13.3): returns the sorted paths that match a pattern; `**` matches folders at any depth.

A name that begins with a dot is only matched by a dot; `.` and `..` are never matched. Unreadable folders count as
empty. Links to folders are followed if the pattern names them, but not by `**`.
"""

from __future__ import annotations

import os

from .patterns import Pattern, has_special

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .patterns import Piece


def matching_paths(pieces: Sequence[Piece], folder: str, *, dots: bool = False) -> list[str]:
    """Return the paths that the pattern matches, relative to `folder` unless it is absolute; with `dots`, hidden ones
    too."""
    components = _components(pieces)
    found = [""]
    for place, component in enumerate(components):
        is_last = place == len(components) - 1
        if not component:  # a slash at the beginning, two in a row, or one at the end
            found = [path + "/" for path in found if not path or is_last or not path.endswith("/")]
            continue
        if not has_special(component):
            found = _append_name("".join(text for text, _ in component), found, folder, is_last=is_last)
        elif _is_double_star(component):
            found = [path for start in found for path in _below(start, folder, folders_only=not is_last, dots=dots)]
        else:
            pattern = Pattern(component)
            if pattern.literal is not None:
                found = _append_name(pattern.literal, found, folder, is_last=is_last)
            else:
                found = [
                    path for start in found for path in _matching(pattern, start, folder, is_last=is_last, dots=dots)
                ]
        if not found:
            break
    return sorted({path for path in found if path})


def _components(pieces: Sequence[Piece]) -> list[list[Piece]]:
    components: list[list[Piece]] = [[]]
    for text, quoted in pieces:
        parts = text.split("/")
        for place, part in enumerate(parts):
            if place:
                components.append([])
            if part:
                components[-1].append((part, quoted))
    return components


def _is_double_star(component: list[Piece]) -> bool:
    return "".join(text for text, _ in component) == "**" and not any(quoted for _, quoted in component)


def _append_name(name: str, found: list[str], folder: str, *, is_last: bool) -> list[str]:
    wanted = []
    for start in found:
        path = _join(start, name)
        if os.path.lexists(os.path.join(folder, path)):
            wanted.append(path)
    return wanted


def _matching(pattern: Pattern, start: str, folder: str, *, is_last: bool, dots: bool) -> list[str]:
    hidden = pattern.starts_with_dot()
    found = []
    try:
        with os.scandir(os.path.join(folder, start) if start else folder) as entries:
            for entry in entries:
                name = entry.name
                if name.startswith(".") != hidden and (hidden or not dots):
                    continue
                if pattern.matches(name) and (is_last or entry.is_dir()):
                    found.append(_join(start, name))
    except OSError:
        return []
    return found


def _below(start: str, folder: str, *, folders_only: bool, dots: bool) -> list[str]:
    """Return `start` and everything below it, or only the folders."""
    found = [start] if folders_only or start else []
    waiting = [start]
    while waiting:
        parent = waiting.pop()
        try:
            with os.scandir(os.path.join(folder, parent) if parent else folder) as entries:
                for entry in entries:
                    if entry.name.startswith(".") and not dots:
                        continue
                    path = _join(parent, entry.name)
                    is_folder = entry.is_dir(follow_symlinks=False)
                    if is_folder:
                        waiting.append(path)
                    if is_folder or not folders_only:
                        found.append(path)
        except OSError:
            continue
    return [path if path != start or not path or path.endswith("/") or folders_only else path + "/" for path in found]


def _join(start: str, name: str) -> str:
    if not start or start.endswith("/"):
        return start + name
    return f"{start}/{name}"
