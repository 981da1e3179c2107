"""What `js/node/os.js` asks of the system: names, memory, processors, users, network interfaces."""

from __future__ import annotations

import os

from ..program.problems import SystemCallFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host

CPU_FIELDS = ("user", "nice", "sys", "idle", "irq")
CPU_COLUMNS = (0, 1, 2, 3, 5)


def operations(host: Host) -> dict[str, Any]:
    return {
        "processors": _processors,
        "user": _user,
        "interfaces": _interfaces,
        "errors": _errors,
        "priority": _priority,
        "setPriority": _set_priority,
    }


def _priority(pid: int) -> int:
    try:
        return os.getpriority(os.PRIO_PROCESS, pid)
    except OSError as error:
        raise SystemCallFailed(error, "uv_os_getpriority") from error


def _set_priority(pid: int, value: int) -> None:
    try:
        os.setpriority(os.PRIO_PROCESS, pid, value)
    except OSError as error:
        raise SystemCallFailed(error, "uv_os_setpriority") from error


def _processors() -> list[dict[str, Any]]:
    models: list[str] = []
    speeds: list[int] = []
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                models.append(value.strip())
            elif name.strip() == "cpu MHz":
                speeds.append(round(float(value)))
    ticks = 1000 // os.sysconf("SC_CLK_TCK")
    found: list[dict[str, Any]] = []
    with open("/proc/stat", encoding="ascii") as file:
        for line in file:
            if not line.startswith("cpu") or line.startswith("cpu "):
                continue
            columns = [int(part) for part in line.split()[1:]]
            index = len(found)
            times = {name: columns[column] * ticks for name, column in zip(CPU_FIELDS, CPU_COLUMNS, strict=True)}
            model = models[index] if index < len(models) else "unknown"
            found.append({"model": model, "speed": speeds[index] if index < len(speeds) else 0, "times": times})
    return found


def _user() -> dict[str, Any]:
    import pwd

    from ..program.problems import SystemCallFailed

    try:
        entry = pwd.getpwuid(os.getuid())
    except KeyError as error:
        import errno

        raise SystemCallFailed(OSError(errno.ENOENT, os.strerror(errno.ENOENT)), "uv_os_get_passwd") from error
    return {
        "uid": entry.pw_uid, "gid": entry.pw_gid, "username": entry.pw_name, "homedir": entry.pw_dir,
        "shell": entry.pw_shell,
    }  # fmt: skip


def _interfaces() -> list[dict[str, Any]]:
    """Return the addresses of interfaces that are up, in the system's order."""
    import socket

    import psutil

    stats = psutil.net_if_stats()
    found: list[dict[str, Any]] = []
    for name, addresses in psutil.net_if_addrs().items():
        if name not in stats or not stats[name].isup:
            continue
        hardware = next((each.address for each in addresses if each.family == psutil.AF_LINK), "00:00:00:00:00:00")
        for each in addresses:
            if each.family not in (socket.AF_INET, socket.AF_INET6):
                continue
            is_6 = each.family == socket.AF_INET6
            address, _, scope = each.address.partition("%")
            entry: dict[str, Any] = {
                "name": name, "address": address, "netmask": each.netmask or "", "family": "IPv6" if is_6 else "IPv4",
                "mac": hardware, "internal": "loopback" in stats[name].flags.split(","),
            }  # fmt: skip
            if is_6:
                entry["scopeid"] = socket.if_nametoindex(scope) if scope else 0
            found.append(entry)
    return found


def _errors() -> dict[str, int]:
    import errno

    return {name: number for number, name in sorted(errno.errorcode.items())}
