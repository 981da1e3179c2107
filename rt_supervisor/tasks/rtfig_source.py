"""Tasks in rtfig.toml: `[tasks.NAME]` and `[tasks."pkg#NAME"]` of the workspace's file, `[tasks.NAME]` of a package's
file."""

from __future__ import annotations

import os

from ..settings.config import FILE_NAME, lines_of_keys
from ..start.dependencies import depend_on
from ..vocabulary.errors import Failed
from ..vocabulary.toml import TomlProblem, read_toml
from .checking import check_task, check_workspace
from .definitions import Layer, TaskTable, globals_of, split_name
from .setting_table import WORKSPACE_BY_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

ORIGIN = "rtfig.toml"


def defined_names(path: str) -> set[str]:
    """Return the names of the tasks that the rtfig.toml at `path` defines for any package. Raises Failed."""
    tasks = _parse(path, FILE_NAME)[0].get("tasks")
    return {split_name(written)[1] for written in tasks} if isinstance(tasks, dict) else set()


def read(root: str, packages: Iterable[tuple[str, str]]) -> TaskTable | None:
    """Return the tasks of the workspace at `root`; None if its rtfig.toml has none. `packages` are (name, folder).

    Raises Failed for invalid settings.
    """
    path = os.path.join(root, FILE_NAME)
    document, lines = _parse(path, FILE_NAME)
    if "tasks" not in document:
        return None
    layers = _layers(document["tasks"], FILE_NAME, lines, package=None)
    named = {key: value for key, value in document.items() if key in WORKSPACE_BY_NAME}
    values = check_workspace(
        named, file=FILE_NAME, line_of=lambda key: lines.get(key, lines.get(key.partition(".")[0], 1))
    )
    for name, folder in packages:
        own = os.path.join(folder, FILE_NAME)
        if folder != root and os.path.lexists(own):
            shown = os.path.relpath(own, root)
            document, lines = _parse(own, shown)
            layers += _layers(document.get("tasks", {}), shown, lines, package=name)
    return TaskTable(ORIGIN, path, tuple(layers), globals_of(values))


def _layers(tables: object, file: str, lines: dict[str, int], *, package: str | None) -> list[Layer]:
    if not isinstance(tables, dict):
        raise Failed("task-setting-invalid", f'{file}:{lines.get("tasks", 1)}: "tasks" must be a table of tasks')
    layers = []
    for written, raw in tables.items():
        named, task = split_name(written)
        prefix = f"tasks.{written}"
        first = lines.get(prefix, lines.get("tasks", 1))
        if package is not None and named is not None:
            raise Failed(
                "task-setting-invalid", f'{file}:{first}: a package\'s own file names its tasks without "{named}#"'
            )

        def line_of(key: str, prefix: str = prefix, first: int = first) -> int:
            return lines.get(f"{prefix}.{key}", first)

        values, places = check_task(raw, file=file, task=written, line_of=line_of)
        layers.append(Layer(task, package if package is not None else named, values, places, f"{file}:{first}"))
    # Settings of one package apply after those of all packages.
    return sorted(layers, key=lambda layer: layer.package is not None)


def _read(path: str) -> bytes | None:
    try:
        with open(depend_on(path), "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def _parse(path: str, shown: str) -> tuple[dict[str, Any], dict[str, int]]:
    data = _read(path)
    if data is None:
        return {}, {}
    text = data.decode("utf-8-sig", "replace")
    try:
        return read_toml(text), lines_of_keys(text)
    except TomlProblem as problem:
        raise Failed("config-broken", f"{shown}:{problem.line}:{problem.column}: {problem.reason}") from problem
