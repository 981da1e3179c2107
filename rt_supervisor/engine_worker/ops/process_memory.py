"""The memory of this process: used, allowed and available."""

from __future__ import annotations

import os

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host

UNLIMITED = 2.0**64  # the value where the memory is not limited
GROUPS = "/sys/fs/cgroup"


def operations(host: Host) -> dict[str, Any]:
    """Return this module's part of the area "process"."""

    return {
        "availableMemory": available_bytes,
        "constrainedMemory": constrained_bytes,
    }


def resident_bytes() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def constrained_bytes(groups: str = GROUPS) -> float:
    """Return the smallest limit of this process's control group and those above it."""
    limit = _native.memory_limit_bytes(groups)
    return UNLIMITED if limit is None else float(limit)


def available_bytes() -> float:
    """Return the memory available to this process: the system's free memory, limited by its control group."""
    with open("/proc/meminfo", "rb") as file:
        found = dict(line.split(b":", 1) for line in file)
    free = float(found[b"MemAvailable"].split()[0]) * 1024
    limit = constrained_bytes()
    return free if limit == UNLIMITED else max(0.0, min(free, limit - resident_bytes()))
