"""The names of all host operations, by area; a start-up snapshot can only refer to names that stand here.

A test compares this list with what the areas offer.
"""

from __future__ import annotations

BY_AREA: dict[str, tuple[str, ...]] = {
    "core": (
        "write", "exit", "runMicrotasks", "takeRejections", "wake", "sourceLines", "mapPosition", "mapName", "isTerminal",
        "complete", "libraryModule",
    ),
    "children": ("spawn", "runToEnd"),
    "pipes": ("read", "stop", "write", "end", "close", "reference", "adopt", "serialize", "deserialize"),
    "modules": ("resolve", "loadCommonJs", "requireEsm", "pathsFor", "parseToml", "compileWrapper"),
    "process": (
        "cwd", "chdir", "setEnv", "hrtime", "memoryUsage", "availableMemory", "cpuUsage", "resourceUsage", "kill", "umask", "ids",
        "watchSignal", "setTitle", "abort", "terminalSize", "uptime", "collectGarbage",
        "heapStatistics", "sleep", "which", "parseEnv", "threadCpuUsage", "setId",
        "setGroups", "initGroups", "execve", "constrainedMemory",
        "setRawMode",
    ),
    "rt": (
        "hashLong", "hashShort", "parseColor", "ambiguousCount", "randomBytes", "globMatches",
    ),
    "digests": ("start", "update", "copy", "finish", "digest", "size", "algorithms"),
    "passwords": ("hash", "verify", "hashLater", "verifyLater"),
    "compression": ("compress", "decompress"),
    "documents": ("readYaml", "readJson5"),
    "transpiler": ("transform",),
    "report": ("facts",),
    "os": (
        "names", "memory", "uptime", "loads", "processors", "parallelism", "user", "interfaces", "errors", "priority",
        "setPriority", "isBigEndian",
    ),
    "fs": (
        "open", "close", "isSteady", "readInto", "readLater", "writeBuffer", "writeText", "readFile",
        "readText", "writeFile", "stat", "lstat", "fstat", "exists", "access", "readdir", "mkdir", "mkdirs",
        "rmdir", "unlink", "rm", "rename", "copyFile", "realpath", "readlink", "symlink", "link", "chmod",
        "fchmod", "chown", "lchown", "fchown", "utimes", "lutimes", "futimes", "truncate", "ftruncate",
        "fsync", "fdatasync", "mkdtemp", "statfs",
    ),
    "net": (
        "listen", "listenUnix", "accept", "stop", "connect", "connectUnix", "giveUp", "localName", "remoteName",
        "setNoDelay", "setKeepAlive", "resetOnClose", "typeOfService",
    ),
    "dns": ("lookup", "lookupService", "send"),
}  # fmt: skip

ALL: tuple[str, ...] = tuple(f"{area}_{name}" for area, names in BY_AREA.items() for name in names)
