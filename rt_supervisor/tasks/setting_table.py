"""The settings of tasks: one row a setting.

The readers of rtfig.toml, turbo.json and package.json, their errors, the JSON schema for editors and the tables of
docs/tasks.md are derived from it. A value is checked and converted by its kind; what a setting means is decided elsewhere.
"""

from __future__ import annotations

import re

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Value: TypeAlias = bool | int | str | tuple[str, ...] | dict[str, bool | int | str]

TEXTS = "a list of strings"
FILES = "a list of strings and { auto = true }"
FLAG = "true or false"
TEXT = "a string"
COUNT = "a whole number of at least 0"
DURATION = 'a number of milliseconds, or a text such as "500ms", "30s", "5m" or "7d"'
SIZE = 'a number of bytes, or a text such as "500MB" or "10GB"'
POSITIVE = "a whole number of at least 1"
POOLS = "a table of whole numbers of at least 1, such as { browsers = 2 }"
REMOTE = "a table"
READY = (
    "a table with one of port, http (a URL, or a path, also with port), line, file and command, and optionally timeout"
)

_DURATION = r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)"
_SIZE = r"(\d+(?:\.\d+)?)\s*(B|kB|KB|MB|GB|TB)"
_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SIZES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
READY_KEYS = ("port", "http", "line", "file", "command")
AUTO_KEY = "auto"
AUTO = "{ auto = true }"
"""The item of `inputs` and `outputs` that stands for all files that rt traces."""


@record
class Setting:
    """One setting: its name in rtfig.toml, the kind of its value (or `choices`), one sentence of help, and its name in turbo.json.

    `turbo` is "" for a setting that turbo.json does not have. A setting that is not `is_used` is accepted, because
    turbo.json has it, and changes nothing.
    """

    name: str
    kind: str
    help: str
    turbo: str = ""
    choices: tuple[str, ...] = ()
    is_used: bool = True

    @property
    def wanted(self) -> str:
        """What a valid value is, for an error."""
        return ", ".join(f'"{word}"' for word in self.choices) if self.choices else self.kind


# fmt: off
TASK_SETTINGS: tuple[Setting, ...] = (
    Setting("dependsOn", TEXTS,
            'Tasks that must succeed first: "codegen" (same package), "^build" (of the dependencies), "pkg#build"', "dependsOn"),
    Setting("with", TEXTS, 'Tasks that run whenever this one does, without an order: "api#dev"', "with"),
    Setting("inputs", FILES,
            "Globs of the files that the task reads, relative to the package; ! excludes, $TURBO_DEFAULT$ stands for all "
            "files that git does not ignore, $TURBO_ROOT$ for the root of the workspace, { auto = true } for what is traced", "inputs"),
    Setting("outputs", FILES,
            "Globs of the files that the task writes, relative to the package; ! excludes, { auto = true } stands for what is traced; "
            "by default all that is traced, and for turbo.json none", "outputs"),
    Setting("env", TEXTS, "Variables that the result depends on; * is a wildcard, ! excludes", "env"),
    Setting("passThroughEnv", TEXTS, 'Variables that the task gets in envMode "strict" and that its result does not depend on',
            "passThroughEnv"),
    Setting("cache", FLAG, "Whether results are stored and restored; true by default", "cache"),
    Setting("clean", FLAG, "What an earlier run wrote is removed before the task runs; true by default, false for turbo.json"),
    Setting("outputLogs", TEXT, 'What is printed of a task: all ("full"), all unless its result is cached ("new-only"), its output if it '
            'fails ("errors-only"), only the lines of rt ("hash-only", "none")', "outputLogs",
            ("full", "hash-only", "new-only", "errors-only", "none")),
    Setting("command", TEXT, "Command that runs in place of the script in package.json; set for one package, it needs no script there"),
    Setting("persistent", FLAG, "The task is a service, which does not end by itself", "persistent"),
    Setting("ready", READY,
            "When a persistent task is ready, so that others may depend on it: { port = 3000 }, { http = \"/health\" } (on a port that it listens "
            "on, on a given port, or a URL), "
            "{ line = \"listening\" } (a regular expression), { file = \"...\" } or { command = \"...\" }, with timeout = \"60s\""),
    Setting("restart", TEXT, 'Whether a persistent task starts again after it has failed; "never" by default', "", ("never", "on-failure")),
    Setting("retries", COUNT, "How often a failed task runs again before it counts as failed; 0 by default"),
    Setting("timeout", DURATION, "How long one attempt at the task may take before it is ended and has failed; without a limit by default"),
    Setting("pool", TEXT, 'The pool of the workspace that the task takes places of: no more tasks of "browsers" run at once than pools.browsers'),
    Setting("weight", POSITIVE, "How many places the task takes of --concurrency and of its pool; 1 by default"),
    Setting("tags", TEXTS, "With --on, the task runs only on agents that have all these tags (`rt agent --tag`)"),
    Setting("local", FLAG, "With --on, the task runs on this machine all the same; false by default"),
    Setting("interactive", FLAG, "The task reads from the terminal; rt has no input for tasks", "interactive", (), False),
    Setting("interruptible", FLAG, "With --watch, the service starts again when its inputs or dependencies have changed; false by default",
            "interruptible"),
    Setting("description", TEXT, "A sentence for people", "description", (), False),
)

WORKSPACE_SETTINGS: tuple[Setting, ...] = (
    Setting("globalDependencies", TEXTS, "Globs, relative to the root, of files that every task depends on", "globalDependencies"),
    Setting("globalEnv", TEXTS, "Variables that every result depends on", "globalEnv"),
    Setting("globalPassThroughEnv", TEXTS, 'Variables that every task gets in envMode "strict"', "globalPassThroughEnv"),
    Setting("envMode", TEXT, 'Which variables tasks get: only those that are listed ("strict"), or all ("loose")', "envMode",
            ("strict", "loose")),
    Setting("pools", POOLS, "Named limits on how many tasks run at once: { browsers = 2 }"),
    Setting("remoteCache", REMOTE, "The remote cache of results (see below)", "remoteCache"),
    Setting("cacheMaxSize", SIZE, "Size to which `rt cache prune`, and once a day a run, shrink the store of results; 10GB by default"),
    Setting("cacheMaxAge", DURATION, "Time after which unused results are removed then; 30 days by default"),
)

REMOTE_SETTINGS: tuple[Setting, ...] = (
    Setting("enabled", FLAG, "Whether the remote cache is used if a token is known; true by default", "enabled"),
    Setting("apiUrl", TEXT, "URL of the server; that of Turborepo by default", "apiUrl"),
    Setting("teamId", TEXT, "Identifier of the team", "teamId"),
    Setting("teamSlug", TEXT, "Name of the team in URLs", "teamSlug"),
    Setting("signature", FLAG, "Results are signed and verified with TURBO_REMOTE_CACHE_SIGNATURE_KEY; false by default", "signature"),
    Setting("timeout", DURATION, "How long a download may take; 30 seconds by default (in seconds in turbo.json)", "timeout"),
    Setting("uploadTimeout", DURATION, "How long an upload may take; 60 seconds by default (in seconds in turbo.json)", "uploadTimeout"),
)
# fmt: on

BY_NAME = {setting.name: setting for setting in TASK_SETTINGS}
WORKSPACE_BY_NAME = {setting.name: setting for setting in WORKSPACE_SETTINGS}


def convert(setting: Setting, value: object) -> Value | None:
    """Return `value` in the form that tasks use - a tuple of strings, milliseconds for a duration - or None if it is invalid."""
    if setting.choices:
        return value if isinstance(value, str) and value in setting.choices else None
    match setting.kind:
        case "a list of strings":
            return _texts(value)
        case "true or false":
            return value if isinstance(value, bool) else None
        case "a string":
            return value if isinstance(value, str) else None
    if setting.kind == FILES and isinstance(value, list):
        return _texts([AUTO if item == {AUTO_KEY: True} and item[AUTO_KEY] is True else item for item in value])
    if setting.kind in (COUNT, POSITIVE):
        least = 0 if setting.kind == COUNT else 1
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= least else None
    if setting.kind == POOLS:
        return _pools(value)
    if setting.kind == DURATION:
        return duration_ms(value)
    if setting.kind == SIZE:
        return size_bytes(value)
    return _ready(value)


def _texts(value: object) -> tuple[str, ...] | None:
    is_list = isinstance(value, list) and all(isinstance(item, str) and item for item in value)
    return tuple(value) if is_list and isinstance(value, list) else None


def duration_ms(value: object) -> int | None:
    """Return the milliseconds of a number or of a text such as "1.5s", None if it is neither."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    found = re.fullmatch(_DURATION, value) if isinstance(value, str) else None
    return round(float(found[1]) * _UNITS_MS[found[2]]) if found else None


def size_bytes(value: object) -> int | None:
    """Return the bytes of a number or of a text such as "10GB", None if it is neither."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    found = re.fullmatch(_SIZE, value) if isinstance(value, str) else None
    return round(float(found[1]) * _SIZES[found[2]]) if found else None


def _pools(value: object) -> Value | None:
    if not isinstance(value, dict):
        return None
    is_valid = all(isinstance(size, int) and not isinstance(size, bool) and size >= 1 for size in value.values())
    return value if is_valid else None


def _ready(value: object) -> Value | None:
    if not isinstance(value, dict) or value.keys() - {*READY_KEYS, "timeout"}:
        return None
    given = {key: value[key] for key in READY_KEYS if key in value}
    timeout = duration_ms(value.get("timeout", 60_000))
    port = given.pop("port", None)
    is_port = isinstance(port, int) and not isinstance(port, bool) and 0 < port < 1 << 16
    if timeout is None or len(given) > 1 or not (is_port or (port is None and given)):
        return None
    if given:
        ((key, text),) = given.items()
        is_path = key == "http" and isinstance(text, str) and text.startswith("/")
        if not isinstance(text, str) or not text or (port is not None and not is_path):
            return None
        if key == "http" and not is_path and not text.startswith(("http://", "https://")):
            return None
    return {**given, **({} if port is None else {"port": port}), "timeout": timeout}
