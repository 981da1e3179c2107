"""How much memory this process has, may have, and finds free."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host

UNLIMITED = 2.0**64  # what is told where nothing limits the memory
GROUPS = "/sys/fs/cgroup"


def operations(host: Host) -> dict[str, Any]:
    """Return this module's part of the area "process"."""

    def memory_usage() -> dict[str, int]:
        heap = host.engine.heap_statistics()
        return {
            "rss": resident_bytes(),
            "heapTotal": heap.get("total_heap_size", 0),
            "heapUsed": heap.get("used_heap_size", 0),
            "external": heap.get("external_memory", 0),
            "arrayBuffers": heap.get("malloced_memory", 0),
        }

    return {
        "memoryUsage": memory_usage,
        "availableMemory": available_bytes,
        "constrainedMemory": constrained_bytes,
        "heapStatistics": host.engine.heap_statistics,
    }


def resident_bytes() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def constrained_bytes(groups: str = GROUPS) -> float:
    """Return the smallest limit of this process's control group and those above it."""
    limits = [UNLIMITED]
    for folder in _own_groups(groups):
        for name in ("memory.max", "memory.high", "memory.limit_in_bytes"):
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    text = file.read().strip()
            except OSError:
                continue
            if text.isdigit() and int(text) < 1 << 62:
                limits.append(float(text))
    return min(limits)


def available_bytes() -> float:
    """Return what is free for this process: what the system has left, within what its control group may have."""
    with open("/proc/meminfo", "rb") as file:
        found = dict(line.split(b":", 1) for line in file)
    free = float(found[b"MemAvailable"].split()[0]) * 1024
    limit = constrained_bytes()
    return free if limit == UNLIMITED else max(0.0, min(free, limit - resident_bytes()))


def _own_groups(groups: str) -> list[str]:
    """Return the folders of this process's control groups, from the innermost outwards."""
    folders: list[str] = []
    try:
        with open("/proc/self/cgroup", encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return folders
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        top = os.path.join(groups, "memory") if controllers else groups
        while path not in ("", "/"):
            folders.append(top + path)
            path = os.path.dirname(path)
        folders.append(top)
    return folders
