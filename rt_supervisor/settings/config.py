"""`rtfig.toml`: the settings of a project, which stand for flags.

The file is optional, so the TOML parser (15 ms) is imported only if it exists. Invalid TOML and values of the wrong type are
errors, unknown keys are warnings; both name file and line. The command line wins over the file.
"""

from __future__ import annotations

import os

from ..start.dependencies import depend_on
from ..vocabulary.errors import Failed
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Value: TypeAlias = bool | int | str | tuple[str, ...]

FILE_NAME = "rtfig.toml"
_MAX_BYTES = 4 * 1024 * 1024

# Each known key ("table.key"), the flag that it stands for, and its valid values.
_KEYS: dict[str, tuple[str, str]] = {
    "preload": ("preload", "a string or a list of strings"),
    "smol": ("smol", "true or false"),
    "define": ("define", "a table of strings"),
    "loader": ("loader", "a table of strings"),
    "jsx": ("jsx-runtime", '"react", "react-jsx" or "react-jsxdev"'),
    "jsxFactory": ("jsx-factory", "a string"),
    "jsxFragment": ("jsx-fragment", "a string"),
    "jsxImportSource": ("jsx-import-source", "a string"),
    "run.shell": ("shell", '"rt" or "system"'),
    "run.silent": ("silent", "true or false"),
    "run.rt": ("rt", "true or false"),
    "run.bun": ("rt", "true or false"),
    "run.noOrphans": ("no-orphans", "true or false"),
    "run.elide-lines": ("elide-lines", "a whole number of at least 0"),
    "console.depth": ("console-depth", "a whole number of at least 0"),
    "watch.ignore": ("watch-ignore", "a string or a list of strings"),
    "watch.include": ("watch-include", "a string or a list of strings"),
    "watch.poll": ("watch-poll", "true or false"),
    "watch.debounce-ms": ("watch-debounce", "a whole number of at least 0"),
    "watch.grace-ms": ("watch-grace", "a whole number of at least 0"),
    "env": ("no-env-file", "true or false, or a table"),
    "env.file": ("no-env-file", "true or false"),
    "debug.ui": ("inspect-ui", 'an http: or https: URL without "#"'),
    "serve.port": ("port", "a whole number from 0 to 65535"),
    "install.auto": ("install", '"auto", "fallback", "force" or "disable"'),
}
_TABLES = ("run", "console", "watch", "install", "env", "test", "serve", "debug")
# The values of `jsx` in bunfig.toml, and those of --jsx-runtime.
_JSX_RUNTIMES = {
    "react": "classic",
    "react-jsx": "automatic",
    "react-jsxdev": "automatic",
    "classic": "classic",
    "automatic": "automatic",
}
# Settings of Bun for features that rt does not have. They are ignored without a warning.
_OTHERS = ("test", "logLevel", "telemetry", "serve", "debug", "bundle")
# Settings of tasks, which `tasks` reads when a run has tasks.
_TASKS = ("tasks", "globalDependencies", "globalEnv", "globalPassThroughEnv", "envMode")
_FIRST = ("preload", "watch-ignore", "watch-include")  # repeatable settings, which come before the values of the flag


@record
class Config:
    """`options` maps flag names to values, in the form of `Invocation.options`; `path` is None without a file."""

    path: str | None
    options: Mapping[str, Value]
    warnings: tuple[str, ...] = ()


def load(folder: str, given: str | None) -> Config:
    """Read the config file: `given`, from --config, which must exist, else `rtfig.toml` in `folder` if it exists."""
    path = os.path.join(folder, given if given is not None else FILE_NAME)
    try:
        descriptor = os.open(depend_on(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        if given is None and not (isinstance(error, PermissionError)):
            return Config(None, {})
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Failed("config-not-readable", f'cannot read config file "{given or FILE_NAME}": {reason}') from error
    return _parse(_text(descriptor, path), path, os.path.relpath(path, folder) if given is None else str(given))


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


def starter_text() -> str:
    """Return the config file that `rt init` writes: the common settings, commented out."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter.toml"), encoding="utf-8") as file:
        return file.read()


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


def _parse(text: str, path: str, shown: str) -> Config:
    from ..vocabulary.toml import TomlProblem, read_toml

    try:
        document = read_toml(text)
    except TomlProblem as problem:
        raise Failed("config-broken", f"{shown}:{problem.line}:{problem.column}: {problem.reason}") from problem
    lines = lines_of_keys(text)
    options: dict[str, Value] = {}
    warnings: list[str] = []
    for key, value in _flatten(document):
        where = f"{shown}:{lines.get(key, 1)}"
        if key not in _KEYS and (key.partition(".")[0] in (*_OTHERS, *_TASKS) or key.startswith("install.")):
            continue
        if key not in _KEYS:
            warnings.append(f'{where}: unknown key "{key}"')
            continue
        flag, wanted = _KEYS[key]
        converted = _convert(flag, value)
        if converted is None:
            raise Failed("config-bad-value", f'{where}: "{key}" must be {wanted}')
        options[flag] = converted
    return Config(path, options, tuple(warnings))


def _flatten(document: dict[str, object]) -> list[tuple[str, object]]:
    """Return the key and value of every setting; keys in known tables start with the name of the table."""
    found: list[tuple[str, object]] = []
    for key, value in document.items():
        if key in _TABLES and isinstance(value, dict):
            found += [(f"{key}.{inner}", inner_value) for inner, inner_value in value.items()]
        else:
            found.append((key, value))
    return found


def _convert(flag: str, value: object) -> Value | None:
    """Return `value` in the form of the flag's parsed value, None if it is invalid."""
    if flag == "no-env-file":
        return not value if isinstance(value, bool) else None
    if flag in ("silent", "rt", "smol", "watch-poll", "no-orphans"):
        return value if isinstance(value, bool) else None
    if flag == "jsx-runtime":
        return _JSX_RUNTIMES.get(value) if isinstance(value, str) else None
    if flag == "inspect-ui":
        from .inspect_address import is_page_address

        return value if isinstance(value, str) and is_page_address(value) else None
    if flag == "port":
        return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 16 else None
    if flag in ("elide-lines", "console-depth", "watch-debounce", "watch-grace"):
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
    if flag in ("define", "loader"):
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            return None
        return tuple(f"{key}:{item}" for key, item in value.items())
    if flag in _FIRST:
        items = [value] if isinstance(value, str) else value
        return tuple(items) if isinstance(items, list) and all(isinstance(item, str) for item in items) else None
    allowed = {"shell": ("rt", "system"), "install": ("auto", "fallback", "force", "disable")}.get(flag)
    return value if isinstance(value, str) and (allowed is None or value in allowed) else None


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
