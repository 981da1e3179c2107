"""Tasks in the `wireit` field of package.json: the scripts that are the word `wireit`, with what wireit runs in their place."""

from __future__ import annotations

import os

from .. import _native
from ..vocabulary.errors import Failed
from ..workspace.suggestions import closest
from .definitions import Globals, Layer, TaskTable
from .positions import lines_of_json_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from .setting_table import Value

ORIGIN = "wireit"
_KEYS = ("command", "dependencies", "files", "output", "clean", "env", "service")
_IGNORED = ("packageLocks", "allowUsuallyExcludedPaths")


def read(root: str, packages: Iterable[tuple[str, str]]) -> TaskTable | None:
    """Return the tasks of the packages, which are (name, folder), None if none has any. Raises Failed."""
    known = list(packages)
    name_of = {folder: name for name, folder in known}
    layers: list[Layer] = []
    first = ""
    for name, folder in known:
        path = os.path.join(folder, "package.json")
        try:
            with open(path, encoding="utf-8-sig") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError):
            continue
        if '"wireit"' not in text:
            continue
        tasks = (_native.read_json(text, path, is_json5=False)[0] or {}).get("wireit")
        if isinstance(tasks, dict):
            first = first or path
            lines = lines_of_json_keys(text)
            file_name = os.path.relpath(path, root)
            for task, raw in tasks.items():
                layers.append(_layer(task, raw, name, folder, name_of, lines, file_name))
    return TaskTable(ORIGIN, first, tuple(layers), Globals(env_mode="loose")) if layers else None


def _layer(
    task: str,
    raw: Any,
    package: str,
    folder: str,
    name_of: Mapping[str, str],
    lines: Mapping[tuple[str, ...], int],
    file: str,
) -> Layer:
    line = lines.get(("wireit", task), 1)
    if not isinstance(raw, dict):
        raise Failed("task-setting-invalid", f'{file}:{line}: task "{task}" must be an object of settings')

    def place(key: str) -> str:
        return f"{file}:{lines.get(('wireit', task, key), line)}"

    for key in raw:
        if key not in _KEYS and key not in _IGNORED:
            meant = closest(key, _KEYS)
            hint = f'; did you mean "{meant}"?' if meant else f"; the settings are {', '.join(_KEYS)}"
            raise Failed("task-setting-unknown", f'{place(key)}: unknown setting "{key}" of task "{task}"{hint}')
    values: dict[str, Value] = {"command": str(raw.get("command") or "")}
    dependencies = raw.get("dependencies", [])
    values["dependsOn"] = tuple(_dependency(item, folder, name_of, place("dependencies")) for item in dependencies)
    if "files" in raw:
        values["inputs"] = tuple(raw["files"])
    if "output" in raw:
        values["outputs"] = tuple(raw["output"])
    env = raw.get("env", {})
    if any(not isinstance(value, dict) for value in env.values()):
        raise Failed(
            "task-setting-invalid",
            f'{place("env")}: rt reads only variables that are "external", as {{"external": true}}',
        )
    values["env"] = tuple(env)
    values["cache"] = "files" in raw and "output" in raw  # wireit does not know what else the script depends on
    values["clean"] = raw.get("clean", True) is not False
    values["persistent"] = bool(raw.get("service"))
    names = {"dependsOn": "dependencies", "inputs": "files", "outputs": "output", "persistent": "service"}
    places = {key: place(names.get(key, key)) for key in values}
    return Layer(task, package, values, places, f"{file}:{line}")


def _dependency(item: Any, folder: str, name_of: Mapping[str, str], place: str) -> str:
    """Return a dependency in rt's form: `script`, or `pkg#script` for a path to another package."""
    text = item.get("script") if isinstance(item, dict) else item
    if not isinstance(text, str) or not text:
        raise Failed("task-setting-invalid", f"{place}: a dependency is a script, or an object with the key script")
    if not text.startswith("."):
        return text
    path, _, script = text.rpartition(":")
    package = name_of.get(os.path.normpath(os.path.join(folder, path)))
    if package is None:
        raise Failed("task-setting-invalid", f'{place}: "{path}" is not a package of the workspace')
    return f"{package}#{script}"
