"""The names of all host operations, by area; a start-up snapshot can refer only to these.

A test compares this list with the operations of the areas.
"""

from __future__ import annotations

BY_AREA: dict[str, tuple[str, ...]] = {
    "core": (
        "write", "exit", "sourceLines", "mapPosition", "mapName", "compiledSource", "isTerminal",
        "libraryModule", "listenToOutput", "attempt",
    ),
    "children": ("spawn", "runToEnd"),
    "pipes": ("adopt", "own", "disown", "deserialize"),
    "modules": (
        "resolve", "loadCommonJs", "requireEsm", "parseToml", "compileWrapper",
        "sourceText", "transpiledText", "isModuleText", "evaluateMain", "evaluateWrapped", "runMain", "runMainModule", "reload",
        "enableCompileCache", "compileCacheFolder", "flushCompileCache",
        "setHooked", "requireSource", "failImport", "failRequire", "failCycle", "importDeferred", "deferredTarget", "evaluateDeferred", "loadImport", "importNow", "settle", "useGlobalFolders", "synchronizeBuiltins",
        "follow", "evaluatedFiles", "evaluated", "forget",
    ),
    "repl": ("flush", "prepare"),
    "process": (
        "cwd", "chdir", "setEnv", "hrtime", "memoryUsage", "availableMemory", "cpuUsage", "resourceUsage", "kill", "umask", "ids",
        "watchSignal", "setTitle", "abort", "terminalSize", "collectGarbage",
        "heapStatistics", "heapSpaces", "sleep", "which", "parseEnv", "threadCpuUsage", "setId",
        "setGroups", "initGroups", "execve", "constrainedMemory",
        "setRawMode",
    ),
    "rt": (
        "hashLong", "hashShort", "parseColor", "ambiguousCount", "randomBytes", "fillRandom", "globMatches", "mapFile",
    ),
    "digests": ("start", "update", "copy", "finish", "digest", "size", "algorithms"),
    "v8": ("serialize", "deserialize", "versionTag", "storeHeap"),
    "inspector": (
        "connect", "connectToMain", "dispatch", "disconnect", "pump", "open", "close", "url", "wait", "thrown", "beforeFirst",
        "beforeMicrotask", "test", "network", "networkData", "networkType", "offerStorage", "resource",
        "storage",
    ),
    "workers": ("start", "terminate", "join", "leave", "others", "settleMain", "inboxOf"),
    "passwords": ("hash", "verify", "hashLater", "verifyLater"),
    "encoding": ("start", "decode"),
    "zlib": ("create", "run", "runLater", "resume", "resumeLater", "setParams", "reset", "close", "crc32"),
    "html": (
        "selectorProblem", "start", "feed", "finish", "resume", "ask", "insert", "change", "onEndTag", "close",
    ),
    "wasi": ("poll",),
    "documents": ("readYaml", "readJson5", "readJsonc", "readXml", "markdownTree", "markdownHtml"),
    "transpiler": ("transform", "strip"),
    "report": ("facts",),
    "os": (
        "names", "memory", "uptime", "loads", "processors", "parallelism", "user", "interfaces", "priority",
        "setPriority", "isBigEndian",
    ),
    "net": (
        "listen", "listenUnix", "connect", "connectUnix", "giveUp", "localName", "remoteName",
        "setNoDelay", "setKeepAlive", "resetOnClose", "typeOfService",
    ),
    "dgram": (
        "open", "kindOf", "at", "disconnect", "send", "sendLater", "receive", "close", "setOption",
        "multicastInterface", "membership", "sourceMembership", "bufferSize",
    ),
    "cluster": ("pair", "send", "receive", "close", "copy"),
    "fswatch": ("open", "close", "reference"),
    "testwatch": ("begin", "channel", "release", "end"),
    "dns": ("lookup", "lookupService", "send"),
    "crypto": ("binding", "later"),
}  # fmt: skip

ALL: tuple[str, ...] = tuple(f"{area}_{name}" for area, names in BY_AREA.items() for name in names)
