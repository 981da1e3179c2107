"""Tasks in turbo.json (Turborepo 2): the file of the root, and those of packages, which extend it.

`pkg#task` replaces the definition of `task`, as in Turborepo; the file of a package overrides key by key.
"""

from __future__ import annotations

import os

from .. import _native
from ..start.dependencies import depend_on
from ..vocabulary.errors import Failed
from .checking import check_task, check_workspace
from .definitions import ROOT, Layer, TaskTable, globals_of, split_name
from .positions import lines_of_json_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Lines = dict[tuple[str, ...], int]

ORIGIN = "turbo.json"
FILE_NAMES = ("turbo.json", "turbo.jsonc")
# Keys of Turborepo that have no effect on what tasks do in rt.
_IGNORED = (
    "$schema", "extends", "tasks", "ui", "daemon", "cacheDir", "telemetry", "concurrency", "boundaries",
    "tags", "futureFlags", "noUpdateNotifier", "cacheMaxAge", "cacheMaxSize", "experimentalObservability", "globalPersistentEnv",
    "dangerouslyDisablePackageManagerCheck",
)  # fmt: skip
_IGNORED_OF_TASKS = ("extends",)


def read(root: str, packages: Iterable[tuple[str, str]]) -> TaskTable | None:
    """Return the tasks of the turbo.json of `root`, None without one. `packages` are (name, folder). Raises Failed."""
    path = _files_of([root]).get(root)
    if path is None:
        return None
    shown = os.path.basename(path)
    document, lines = _parse(path, shown)
    if "pipeline" in document:
        raise Failed("turbo-pipeline", f'{shown}:{lines[("pipeline",)]}: "pipeline" is of Turborepo 1; call it "tasks"')
    values = check_workspace(
        document,
        file=shown,
        line_of=lambda key: lines.get(tuple(key.split(".")), lines.get((key.partition(".")[0],), 1)),
        is_turbo=True,
        ignored=_IGNORED,
    )
    layers = _layers(document, shown, lines, package=None)
    files = _files_of([folder for _, folder in packages if folder != root])
    for name, folder in packages if files else ():
        own = files.get(folder)
        if own is not None:
            shown = os.path.relpath(own, root)
            document, lines = _parse(own, shown)
            _check_extends(document, shown, lines)
            layers += _layers(document, shown, lines, package=name)
    return TaskTable(ORIGIN, path, tuple(layers), globals_of(values))


def _files_of(folders: Iterable[str]) -> dict[str, str]:
    """Return the file of each of `folders` that has one."""
    paths = [depend_on(f"{folder.rstrip('/')}/{name}") for folder in folders for name in FILE_NAMES]
    found: dict[str, str] = {}
    for path in _native.existing_paths(paths):
        found.setdefault(os.path.dirname(path), path)
    return found


def _layers(document: dict[str, Any], file: str, lines: Lines, *, package: str | None) -> list[Layer]:
    tasks = document.get("tasks", {})
    if not isinstance(tasks, dict):
        raise Failed("task-setting-invalid", f'{file}:{lines.get(("tasks",), 1)}: "tasks" must be an object of tasks')
    layers = []
    for written, raw in tasks.items():
        named, task = split_name(written)
        first = lines.get(("tasks", written), 1)
        owner = package if package is not None else named
        if package is not None and named not in (None, package):
            raise Failed("task-setting-invalid", f'{file}:{first}: the file of "{package}" cannot define "{written}"')

        def line_of(key: str, written: str = written, first: int = first) -> int:
            return lines.get(("tasks", written, key), first)

        values, places = check_task(
            raw, file=file, task=written, line_of=line_of, is_turbo=True, ignored=_IGNORED_OF_TASKS
        )
        extends = not isinstance(raw, dict) or raw.get("extends") is not False
        replaces = (package is None and named is not None) or not extends
        layers.append(Layer(task, owner, values, places, f"{file}:{first}", replaces))
    return sorted(layers, key=lambda layer: layer.package is not None)


def _check_extends(document: dict[str, Any], file: str, lines: Lines) -> None:
    extends = document.get("extends")
    if not isinstance(extends, list) or extends[:1] != [ROOT]:
        line = lines.get(("extends",), 1)
        raise Failed("turbo-extends", f'{file}:{line}: the turbo.json of a package needs "extends": ["//"]')
    if len(extends) > 1:
        raise Failed(
            "turbo-extends",
            f'{file}:{lines[("extends",)]}: rt extends only the turbo.json of the root, not "{extends[1]}"',
        )


def _parse(path: str, shown: str) -> tuple[dict[str, Any], Lines]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Failed("task-file-not-readable", f"{shown}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from error
    value, problems = _native.read_json(text, path, is_json5=True)
    if problems:
        problem = problems[0]
        raise Failed("task-file-broken", f"{shown}:{problem.place.line}:{problem.place.column}: {problem.message}")
    if not isinstance(value, dict):
        raise Failed("task-file-broken", f"{shown}:1: must be an object")
    return value, lines_of_json_keys(text)
