"""The kernel's limits on file events."""

from __future__ import annotations


def inotify_limit(name: str) -> int | None:
    """Return the value of `fs.inotify.<name>`; None if it cannot be read."""
    try:
        with open(f"/proc/sys/fs/inotify/{name}", encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None
