"""`rtfig.toml`: the settings of a project, which stand for flags.

The command line knows the keys (`cli.line.config_keys`). The file is optional, so the TOML parser (15 ms) is imported only if it
exists. Invalid TOML and values of the wrong type are errors, unknown keys are warnings; both name file and line. The command line
overrides the file.
"""

from __future__ import annotations

import os

from ..start.dependencies import depend_on
from ..vocabulary.errors import Failed
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol, TypeAlias

    Value: TypeAlias = bool | int | str | tuple[str, ...]

    class Key(Protocol):
        """What a key sets: a flag, to a value that `convert` makes (None: the type is wrong) of `wanted` values."""

        @property
        def flag(self) -> str: ...
        @property
        def wanted(self) -> str: ...
        def convert(self, value: object) -> Value | None: ...

    FindKey: TypeAlias = Callable[[str], Key | None]

FILE_NAME = "rtfig.toml"
_MAX_BYTES = 4 * 1024 * 1024

_TABLES = ("run", "console", "ui", "watch", "install", "env", "test", "serve", "debug", "cluster")
# Settings of Bun for features that rt does not have. They are ignored without a warning.
_OTHERS = ("test", "logLevel", "telemetry", "serve", "debug", "bundle", "install")
# Settings of tasks, which `tasks` reads when a run has tasks.
_TASKS = (
    "tasks",
    "globalDependencies",
    "globalEnv",
    "globalPassThroughEnv",
    "envMode",
    "pools",
    "cacheMaxSize",
    "cacheMaxAge",
    "remoteCache",
)
_FIRST = ("preload", "watch-ignore", "watch-include")  # repeatable settings, which come before the values of the flag


@record
class Config:
    """`options` maps flag names to values, in the form of `Invocation.options`; `path` is None without a file."""

    path: str | None
    options: Mapping[str, Value]
    warnings: tuple[str, ...] = ()


def load(folder: str, given: str | None, find_key: FindKey) -> Config:
    """Read the config file: `given`, from --config, which must exist, otherwise `rtfig.toml` in `folder` if it exists.

    `find_key` returns what a key ("table.key") sets, None for an unknown one, and raises Failed for one that a file cannot set.
    """
    path = os.path.join(folder, given if given is not None else FILE_NAME)
    try:
        descriptor = os.open(depend_on(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        if given is None and not (isinstance(error, PermissionError)):
            return Config(None, {})
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Failed("config-not-readable", f'cannot read config file "{given or FILE_NAME}": {reason}') from error
    return _parse(_text(descriptor, path), path, os.path.relpath(path, folder) if given is None else given, find_key)


def mentions_tasks(path: str) -> bool:
    """Return whether the file at `path` may define tasks, without parsing it."""
    try:
        with open(depend_on(path), "rb") as file:
            return b"tasks" in file.read(_MAX_BYTES)
    except OSError:
        return False


def merge(config: Config, given: Mapping[str, Value]) -> dict[str, Value]:
    """Merge the options of the command line over those of the config; preloads of the config run first."""
    options: dict[str, Value] = dict(config.options) | dict(given)
    for name in _FIRST:
        first, second = config.options.get(name), given.get(name)
        if isinstance(first, tuple) and isinstance(second, tuple):
            options[name] = first + second
    return options


def _text(descriptor: int, path: str) -> str:
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            raise Failed("config-not-readable", f'cannot read config file "{path}": not a regular file')
        data = b""
        while block := os.read(descriptor, 1 << 16):
            data += block
            if len(data) > _MAX_BYTES:
                raise Failed("config-not-readable", f'config file "{path}" is too large')
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Failed("config-broken", f"{path}:{line}: not UTF-8") from error
    finally:
        os.close(descriptor)


def _parse(text: str, path: str, shown: str, find_key: FindKey) -> Config:
    from ..vocabulary.toml import TomlProblem, read_toml

    try:
        document = read_toml(text)
    except TomlProblem as problem:
        raise Failed("config-broken", f"{shown}:{problem.line}:{problem.column}: {problem.reason}") from problem
    lines = lines_of_keys(text)
    options: dict[str, Value] = {}
    warnings: list[str] = []
    for key, value in _flatten(document):
        where = f"{shown}:{lines.get(key) or lines.get(key.partition('.')[0], 1)}"
        found = None
        try:
            found = find_key(key)
            converted = None if found is None else found.convert(value)
        except Failed as failed:
            if found is not None and isinstance(value, dict) and (line := lines.get(_wrong_entry(key, value, found))):
                where = f"{shown}:{line}"
            raise Failed("config-bad-value", f"{where}: {failed.failure.message}") from failed
        if found is None:
            if key.partition(".")[0] not in (*_OTHERS, *_TASKS):
                warnings.append(f'{where}: unknown key "{key}"')
        elif converted is None:
            raise Failed("config-bad-value", f'{where}: "{key}" must be {found.wanted}')
        else:
            options[found.flag] = converted
    return Config(path, options, tuple(warnings))


def _wrong_entry(key: str, table: dict[str, object], found: Key) -> str:
    """Return the key of the first entry of `table` that cannot be converted."""
    for name, value in table.items():
        try:
            found.convert({name: value})
        except Failed:
            return f"{key}.{name}"
    return key


def _flatten(document: dict[str, object]) -> list[tuple[str, object]]:
    """Return the key and value of every setting; keys in known tables start with the name of the table."""
    found: list[tuple[str, object]] = []
    for key, value in document.items():
        if key in _TABLES and isinstance(value, dict):
            found += [(f"{key}.{inner}", inner_value) for inner, inner_value in value.items()]
        else:
            found.append((key, value))
    return found


def lines_of_keys(text: str) -> dict[str, int]:
    """Return the first line that sets each key ("table.key"). Keys in an unusual spelling are missing."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            table = stripped.strip("[]").replace('"', "").strip()
            lines.setdefault(table, number)
        elif name := stripped.partition("=")[0].replace('"', "").replace("'", "").strip():
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines
