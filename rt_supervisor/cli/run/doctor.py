"""`rt doctor`: checks what rt needs of this machine, and prints a remedy for each problem.

Each check returns a `Finding` and changes nothing. A `PROBLEM` keeps rt, or something that most projects use, from working,
and makes the exit status 1; a `WARNING` limits or slows something down.
"""

from __future__ import annotations

import os
import resource
import sys

from ... import NODE_VERSION, _native
from ...output.reports import collector
from ...settings.environment import DEFAULT_PATH, find_executable
from ...settings.shell_choice import SHELLS, system_shell
from ...start.cache_folder import silent_folder
from ...vocabulary.errors import Failed
from ...vocabulary.record import record
from ...watching.limits import inotify_limit
from ..colours import wants_colour
from ..streams import write
from .version import version_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

OK: Final = "ok"
WARNING: Final = "warning"
PROBLEM: Final = "problem"
_COLOURS = {OK: "\x1b[32m", WARNING: "\x1b[33m", PROBLEM: "\x1b[31m"}
_LEAST_OPEN_FILES = 1024
_LEAST_PROCESSES = 512
_LEAST_WATCHES = 16_384  # the folders of a medium-sized workspace with its packages
_LEAST_INSTANCES = 64
_LEAST_FREE_BYTES = 256 << 20  # V8's prepared copy, code caches and recorded starts
_LIBRARIES = {
    "librt_crypto.so": "node:crypto, TLS and HTTPS",
    "librt_sqlite.so": "node:sqlite",
    "librt_colors.so": "RT.color",
}


@record
class Finding:
    """The result of one check: its level, what was found, and what to do about it ("" if nothing)."""

    level: str
    text: str
    remedy: str = ""


def print_findings(executable: str, environment: Mapping[str, str]) -> int:
    """Print the result of every check to stdout. Return 1 if there is a problem, otherwise 0."""
    colour = wants_colour(1, environment)
    found = [check(executable, environment) for check in CHECKS]
    for finding in found:
        level = f"{_COLOURS[finding.level]}{finding.level:<8}\x1b[0m" if colour else f"{finding.level:<8}"
        write(1, f"{level} {finding.text}\n")
        if finding.remedy:
            write(1, f"{'':<8} -> {finding.remedy}\n")
    return 1 if any(finding.level == PROBLEM for finding in found) else 0


def check_versions(executable: str, environment: Mapping[str, str]) -> Finding:
    python = ".".join(map(str, sys.version_info[:3]))
    return Finding(
        OK,
        f"rt {version_text(with_revision=True)} at {executable}, with Python {python}; compatible with Node {NODE_VERSION}",
    )


def check_path(executable: str, environment: Mapping[str, str]) -> Finding:
    """Whether `rt` in a terminal is this one: an activated environment often hides another installation."""
    found = find_executable("rt", environment.get("PATH") or DEFAULT_PATH)
    if found is None:
        folder = os.path.dirname(executable)
        return Finding(WARNING, "rt is not on PATH", f'add it: export PATH="{folder}:$PATH"')
    if os.path.realpath(found) != os.path.realpath(executable):
        return Finding(WARNING, f"rt on PATH is another one: {found}", "remove one of them, or reorder PATH")
    return Finding(OK, f"rt on PATH is {found}")


def check_libraries(executable: str, environment: Mapping[str, str]) -> Finding:
    package = os.path.dirname(os.path.abspath(_native.__file__))
    missing = [f"{name} ({use})" for name, use in _LIBRARIES.items() if not os.path.exists(os.path.join(package, name))]
    if missing:
        return Finding(PROBLEM, f"native libraries are missing: {', '.join(missing)}", "install rt again")
    return Finding(OK, "native libraries are complete")


def check_cache(executable: str, environment: Mapping[str, str]) -> Finding:
    """Whether rt can store what makes later starts fast."""
    folder = silent_folder("v8")
    if folder is None:
        home = _native.cache_home() or os.path.expanduser("~/.cache")
        return Finding(
            WARNING,
            f"rt does not use the cache below {home}: another user owns it or can write to it; starts are slower",
            "set XDG_CACHE_HOME to a folder that only you can write to",
        )
    place = _nearest_folder(folder)
    if not os.access(place, os.W_OK):
        return Finding(
            WARNING, f"{place} is not writable; starts are slower", "set XDG_CACHE_HOME to a writable folder"
        )
    space = os.statvfs(place)
    free = space.f_bavail * space.f_frsize
    if free < _LEAST_FREE_BYTES:
        return Finding(WARNING, f"{place} has {free >> 20} MB left", f"free at least {_LEAST_FREE_BYTES >> 20} MB")
    return Finding(OK, f"cache folder {os.path.dirname(folder)}, {free >> 30} GB free")


def check_temporary_folder(executable: str, environment: Mapping[str, str]) -> Finding:
    folder = environment.get("TMPDIR") or "/tmp"
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        return Finding(PROBLEM, f"the temporary folder {folder} is not writable", "set TMPDIR to a writable folder")
    return Finding(OK, f"temporary folder {folder}")


def check_open_files(executable: str, environment: Mapping[str, str]) -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < _LEAST_OPEN_FILES:
        most = _LEAST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(_LEAST_OPEN_FILES, hard)
        remedy = f"ulimit -n {most}" if most > soft else "raise the hard limit in /etc/security/limits.conf"
        return Finding(WARNING, f"at most {soft} open files: runs of many scripts need more", remedy)
    return Finding(OK, f"open files: {_limit_text(soft)}")


def check_processes(executable: str, environment: Mapping[str, str]) -> Finding:
    soft, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if soft != resource.RLIM_INFINITY and soft < _LEAST_PROCESSES:
        return Finding(
            WARNING,
            f"at most {soft} processes and threads of this user",
            f"ulimit -u {_LEAST_PROCESSES}, or --concurrency",
        )
    return Finding(OK, f"processes: {_limit_text(soft)}")


def check_inotify(executable: str, environment: Mapping[str, str]) -> Finding:
    """Whether --watch can receive events; where the limits are reached, rt polls the folders instead."""
    watches, instances = inotify_limit("max_user_watches"), inotify_limit("max_user_instances")
    if watches is None or instances is None:
        return Finding(WARNING, "inotify is not available: --watch polls", "")
    low = [
        f"fs.inotify.{name}={least}"
        for name, value, least in (
            ("max_user_watches", watches, _LEAST_WATCHES),
            ("max_user_instances", instances, _LEAST_INSTANCES),
        )
        if value < least
    ]
    if low:
        return Finding(
            WARNING,
            f"inotify: {watches} watches, {instances} instances: --watch polls in large workspaces",
            f"as root: sysctl {' '.join(low)}",
        )
    return Finding(OK, f"inotify: {watches} watches, {instances} instances")


def check_process_table(executable: str, environment: Mapping[str, str]) -> Finding:
    """Whether rt can find the processes that scripts leave behind."""
    if not os.path.isdir("/proc/self/task"):
        return Finding(
            PROBLEM, "/proc is not mounted: rt cannot end what scripts leave behind", "mount -t proc proc /proc"
        )
    return Finding(OK, "/proc is mounted")


def check_shell(executable: str, environment: Mapping[str, str]) -> Finding:
    try:
        return Finding(OK, f"scripts run in {system_shell(environment.get('PATH'))}")
    except Failed:
        return Finding(
            PROBLEM,
            f"none of {', '.join(SHELLS)} is on PATH: scripts cannot run in the system's shell",
            "install bash, or use rt's own shell: --shell=rt",
        )


def check_node(executable: str, environment: Mapping[str, str]) -> Finding:
    """Which node scripts find: rt stands in for a missing one."""
    found = find_executable("node", environment.get("PATH") or DEFAULT_PATH)
    if found is None:
        return Finding(OK, "node is not on PATH: scripts and binaries that call it run with rt")
    return Finding(OK, f"scripts that call node run {found}; with --rt they run rt")


def check_encoding(executable: str, environment: Mapping[str, str]) -> Finding:
    named = next((environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), "")
    if named and named not in ("C", "POSIX") and "utf" not in named.lower():
        return Finding(
            WARNING, f"the locale {named} is not UTF-8: other programs may print other bytes", "LANG=C.UTF-8"
        )
    return Finding(OK, f"locale {named or 'not set'}")


def check_collector(executable: str, environment: Mapping[str, str]) -> Finding:
    """Whether runs can send spans to the collector of OpenTelemetry that the environment names."""
    if not collector.is_named(environment):
        return Finding(OK, "no collector of OpenTelemetry is named: runs send no spans")
    if not collector.has_exporter():
        return Finding(
            WARNING, "a collector of OpenTelemetry is named, but the extra that sends spans is missing", collector.EXTRA
        )
    return Finding(OK, "runs send spans to the collector of OpenTelemetry")


CHECKS: tuple[Callable[[str, Mapping[str, str]], Finding], ...] = (
    check_versions,
    check_path,
    check_libraries,
    check_cache,
    check_temporary_folder,
    check_open_files,
    check_processes,
    check_inotify,
    check_process_table,
    check_shell,
    check_node,
    check_encoding,
    check_collector,
)


def _nearest_folder(path: str) -> str:
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path


def _limit_text(limit: int) -> str:
    return "unlimited" if limit == resource.RLIM_INFINITY else str(limit)
