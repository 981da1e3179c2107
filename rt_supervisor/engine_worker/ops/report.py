"""Operations of `js/node/process/report.js`: limits, libraries, the command line, the C library."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host

# Node's names and those of the `resource` module, with the units in blocks and kilobytes.
_LIMITS = (
    ("core_file_size_blocks", "RLIMIT_CORE", 512),
    ("data_seg_size_bytes", "RLIMIT_DATA", 1),
    ("file_size_blocks", "RLIMIT_FSIZE", 512),
    ("max_locked_memory_bytes", "RLIMIT_MEMLOCK", 1),
    ("max_memory_size_bytes", "RLIMIT_RSS", 1),
    ("open_files", "RLIMIT_NOFILE", 1),
    ("stack_size_bytes", "RLIMIT_STACK", 1),
    ("cpu_time_seconds", "RLIMIT_CPU", 1),
    ("max_user_processes", "RLIMIT_NPROC", 1),
    ("virtual_memory_bytes", "RLIMIT_AS", 1),
)


def operations(host: Host) -> dict[str, Any]:
    def facts() -> dict[str, Any]:
        return {
            "commandLine": _command_line(),
            "glibc": _c_library(),
            "builtForGlibc": _built_for() if _c_library() else "",
            "userLimits": _limits(),
            "sharedObjects": _libraries(),
        }

    return {"facts": facts}


def _c_library() -> str:
    """Return the version of glibc; "" with another C library."""
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")[2]
    except ValueError:
        return ""


def _built_for() -> str:
    """Return the version of glibc that the interpreter was linked against."""
    import platform
    import sys

    return platform.libc_ver(sys.executable)[1]


def _command_line() -> list[str]:
    import sys

    return list(sys.orig_argv)


def _limits() -> dict[str, dict[str, int | str]]:
    import resource

    def shown(value: int, unit: int) -> int | str:
        return "unlimited" if value == resource.RLIM_INFINITY else value // unit

    found: dict[str, dict[str, int | str]] = {}
    for name, constant, unit in _LIMITS:
        soft, hard = resource.getrlimit(getattr(resource, constant))
        found[name] = {"soft": shown(soft, unit), "hard": shown(hard, unit)}
    return found


def _libraries() -> list[str]:
    """Return the files of shared libraries in this process, in the order of their addresses, each once."""
    found: dict[str, None] = {}
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
        for line in file:
            path = line.split(maxsplit=5)[5:]
            if path and (".so" in path[0] or path[0].startswith("[vdso]")):
                found[path[0].strip()] = None
    return list(found)
