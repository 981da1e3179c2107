"""Tasks in the `wireit` field of package.json: scripts with what wireit runs in their place, and the plain scripts that they depend on.

What wireit decides by order or by time has the nearest meaning that is never a stale result: excluded `files` that a later pattern
may include count, and a dependency counts by the content of its outputs, with `cascade` or without.
"""

from __future__ import annotations

import os
import re

from .. import _native
from ..vocabulary.errors import Failed
from ..vocabulary.record import record
from .definitions import Globals, Layer, TaskTable
from .positions import lines_of_json_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from .setting_table import Value

ORIGIN = "wireit"
_KEYS = ("command", "dependencies", "files", "output", "clean", "env", "service")
_IGNORED = (
    "packageLocks",
    "allowUsuallyExcludedPaths",
)  # rt resolves lockfiles by package, and enters no excluded folder
_CLEAN = (True, False, "if-file-deleted")
_READY_TIMEOUT_MS = 60_000
_STARTED: Mapping[str, bool | int | str] = {"command": "true", "timeout": _READY_TIMEOUT_MS}
"""The condition of a service that is ready as soon as it runs."""


@record
class _Package:
    """A package.json: its field `wireit`, its `scripts`, and the line of each key. `file` is relative to the root."""

    name: str
    folder: str
    file: str
    tasks: Mapping[str, Any]
    scripts: Mapping[str, Any]
    lines: Mapping[tuple[str, ...], int]


def read(root: str, packages: Iterable[tuple[str, str]]) -> TaskTable | None:
    """Return the tasks of the packages, which are (name, folder), None if none has any. Raises Failed."""
    known = {folder: name for name, folder in packages}
    read_packages: dict[str, _Package | None] = {}

    def package_at(folder: str) -> _Package | None:
        if folder not in read_packages:
            name = known.get(folder)
            read_packages[folder] = None if name is None else _read_package(root, name, folder)
        return read_packages[folder]

    layers: list[Layer] = []
    first = ""
    for folder in known:
        package = package_at(folder) if _mentions_wireit(folder) else None
        for task in () if package is None else package.tasks:
            assert package is not None
            first = first or os.path.join(folder, "package.json")
            layers += _Reader(package, task, package_at).layers()
    unique = {(layer.task, layer.package): layer for layer in layers}
    return TaskTable(ORIGIN, first, tuple(unique.values()), Globals(env_mode="loose")) if layers else None


def _mentions_wireit(folder: str) -> bool:
    try:
        with open(os.path.join(folder, "package.json"), "rb") as file:
            return b'"wireit"' in file.read()
    except OSError:
        return False


def _read_package(root: str, name: str, folder: str) -> _Package | None:
    path = os.path.join(folder, "package.json")
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return None
    document = _native.read_json(text, path, is_json5=False)[0] or {}
    tasks, scripts = document.get("wireit"), document.get("scripts")
    return _Package(
        name,
        folder,
        os.path.relpath(path, root),
        tasks if isinstance(tasks, dict) else {},
        scripts if isinstance(scripts, dict) else {},
        lines_of_json_keys(text),
    )


class _Reader:
    """Reads one task of a package. `package_at` returns the package in a folder, None if the workspace has none there."""

    def __init__(self, package: _Package, task: str, package_at: Any) -> None:
        self._package = package
        self._task = task
        self._package_at = package_at
        self._line = package.lines.get(("wireit", task), 1)
        self._plain: list[Layer] = []

    def layers(self) -> list[Layer]:
        """Return the task, and the plain scripts that it depends on. Raises Failed."""
        raw = self._package.tasks[self._task]
        if not isinstance(raw, dict):
            raise self._invalid((), f'task "{self._task}" must be an object of settings')
        self._check_keys(raw, _KEYS, ())
        command = raw.get("command", "")
        if not isinstance(command, str):
            raise self._invalid(("command",), '"command" must be a string')
        files, output = self._texts(raw, "files"), self._texts(raw, "output")
        values: dict[str, Value] = {"dependsOn": self._dependencies(raw.get("dependencies", []))}
        if files is not None:
            values["inputs"] = _without_overridden(files)
        if output is not None:
            values["outputs"] = output
        exports, values["env"] = self._variables(raw.get("env", {}))
        values["command"] = f"{exports}{command}" if command else ""
        # wireit does not know what else the script depends on, and rt has no outputs that are excluded and then included.
        is_ordered = output is not None and output != _without_overridden(output)
        values["cache"] = files is not None and output is not None and not is_ordered
        clean = raw.get("clean", True)
        if clean not in _CLEAN:
            raise self._invalid(("clean",), '"clean" must be true, false or "if-file-deleted"')
        values["clean"] = clean is not False
        values["persistent"] = raw.get("service", False) is not False
        if values["persistent"]:
            values["ready"] = self._readiness(raw, command)
            values["interruptible"] = True
        names = {"dependsOn": "dependencies", "inputs": "files", "outputs": "output"}
        names |= dict.fromkeys(("persistent", "ready", "interruptible"), "service")
        places = {key: self._place(names.get(key, key)) for key in values}
        layer = Layer(self._task, self._package.name, values, places, self._place())
        return [*self._plain, layer]

    def _texts(self, raw: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
        """Return a list of patterns, which are relative to the package also with a slash at their start."""
        value = raw.get(key)
        if value is None and key not in raw:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise self._invalid((key,), f'"{key}" must be a list of strings')
        return tuple(f"{'!' * item.startswith('!')}{item.removeprefix('!').lstrip('/')}" for item in value)

    def _dependencies(self, raw: Any) -> tuple[str, ...]:
        if not isinstance(raw, list):
            raise self._invalid(("dependencies",), '"dependencies" must be a list')
        return tuple(map(self._dependency, raw))

    def _dependency(self, item: Any) -> str:
        """Return a dependency in rt's form: `script`, or `pkg#script` for a path to another package."""
        at = ("dependencies",)
        if isinstance(item, dict):
            self._check_keys(item, ("script", "cascade"), at)
        text = item.get("script") if isinstance(item, dict) else item
        if not isinstance(text, str) or not text:
            raise self._invalid(at, "a dependency is a script, or an object with the key script")
        package, script = self._package, text
        if text.startswith("."):
            path, _, script = text.partition(":")
            package = self._package_at(os.path.normpath(os.path.join(package.folder, path)))
            if package is None:
                raise self._invalid(at, f'"{path}" is not a package of the workspace')
        if script not in package.tasks:
            if script not in package.scripts:
                from ..workspace.suggestions import closest

                meant = closest(script, [*package.tasks, *package.scripts])
                hint = f'; did you mean "{meant}"?' if meant else ""
                raise self._invalid(at, f'{package.name} has no script "{script}"{hint}')
            line = package.lines.get(("scripts", script), 1)
            self._plain.append(Layer(script, package.name, {"cache": False}, {}, f"{package.file}:{line}"))
        return script if package is self._package else f"{package.name}#{script}"

    def _variables(self, raw: Any) -> tuple[str, tuple[str, ...]]:
        """Return what sets the variables of a task, for a shell, and the names of those that it takes from the environment."""
        if not isinstance(raw, dict):
            raise self._invalid(("env",), '"env" must be an object')
        from shlex import quote  # most runs read no such variables

        exports, names = "", []
        for name, value in raw.items():
            if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) is None:
                raise self._invalid(("env", name), f'"{name}" is not the name of a variable')
            if isinstance(value, str):
                exports += f"export {name}={quote(value)}; "
                continue
            if not isinstance(value, dict) or value.get("external") is not True:
                raise self._invalid(("env", name), f'"{name}" must be a string, or an object with {{"external": true}}')
            self._check_keys(value, ("external", "default"), ("env", name))
            names.append(name)
            default = value.get("default")
            if isinstance(default, str):
                exports += f'[ -n "${{{name}+set}}" ] || export {name}={quote(default)}; '
        return exports, tuple(names)

    def _readiness(self, raw: Mapping[str, Any], command: str) -> dict[str, bool | int | str]:
        """Return the setting `ready` of a service."""
        if not command:
            raise self._invalid(("service",), 'a service needs a "command"')
        if "output" in raw:
            raise self._invalid(("output",), 'a service cannot have "output"')
        service = raw["service"]
        if service is True:
            return dict(_STARTED)
        if not isinstance(service, dict):
            raise self._invalid(("service",), '"service" must be true, false or an object')
        self._check_keys(service, ("readyWhen",), ("service",))
        condition = service.get("readyWhen", {})
        if not isinstance(condition, dict):
            raise self._invalid(("service", "readyWhen"), '"readyWhen" must be an object')
        self._check_keys(condition, ("lineMatches",), ("service", "readyWhen"))
        if "lineMatches" not in condition:
            return dict(_STARTED)
        pattern = condition["lineMatches"]
        try:
            line = re.sub(r"\(\?<(?![=!])", "(?P<", pattern)  # the name of a group
            re.compile(line)
        except (re.error, TypeError) as error:
            at = ("service", "readyWhen", "lineMatches")
            raise self._invalid(at, f'"lineMatches" must be a regular expression: {error}') from error
        return {"line": line, "timeout": _READY_TIMEOUT_MS}

    def _check_keys(self, raw: Mapping[str, Any], known: tuple[str, ...], at: tuple[str, ...]) -> None:
        ignored = () if at else _IGNORED
        for key in raw:
            if key not in known and key not in ignored:
                from ..workspace.suggestions import closest

                meant = closest(key, known)
                hint = f'; did you mean "{meant}"?' if meant else f"; the settings are {', '.join(known)}"
                of = f' in "{".".join(at)}"' if at else ""
                raise Failed(
                    "task-setting-unknown",
                    f'{self._place(*at, key)}: unknown setting "{key}"{of} of task "{self._task}"{hint}',
                )

    def _invalid(self, at: tuple[str, ...], problem: str) -> Failed:
        return Failed("task-setting-invalid", f"{self._place(*at)}: {problem}")

    def _place(self, *keys: str) -> str:
        """Return the file and the line of a key, or of the nearest one around it."""
        path = ("wireit", self._task, *keys)
        line = next((found for end in range(len(path), 1, -1) if (found := self._package.lines.get(path[:end]))), 1)
        return f"{self._package.file}:{line}"


def _without_overridden(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return `patterns` without the exclusions that a later pattern may take back, because rt's exclude regardless of their order."""
    last = max((number for number, pattern in enumerate(patterns) if not pattern.startswith("!")), default=-1)
    return tuple(pattern for number, pattern in enumerate(patterns) if number > last or not pattern.startswith("!"))
