"""`rt tasks`: lists the tasks of the workspace and where each setting comes from; imports them; prints their JSON schema; writes
their durations."""

from __future__ import annotations

import os

from ...settings.config import FILE_NAME
from ...tasks import rtfig_source
from ...tasks.definitions import split_name
from ...tasks.setting_table import AUTO, AUTO_KEY
from ...tasks.sources import read_tasks
from ...vocabulary.errors import Failed
from ...workspace.suggestions import closest
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...tasks.definitions import Layer, TaskTable
    from ...tasks.setting_table import Value
    from ...tasks.sources import TaskWorkspace
    from ..request import Request

_WORDS = ("import", "schema", "durations")


def show_tasks(request: Request) -> int:
    """Execute `rt tasks` with the words after it. Raises Failed."""
    words = request.invocation.arguments
    if not words:
        return _list(request)
    if words == ("import",):
        return _import(request)
    if words == ("schema",):
        import json

        from ...tasks.schema import schema

        write(1, json.dumps(schema(), indent=2) + "\n")
        return 0
    if words == ("durations",):
        return _write_durations(request)
    meant = closest(words[0], _WORDS) if len(words) == 1 else None
    hint = f'; did you mean "{meant}"?' if meant else ""
    raise Failed(
        "tasks-usage", f'rt tasks takes no word, "import", "schema" or "durations", not "{" ".join(words)}"{hint}'
    )


def _list(request: Request) -> int:
    tasks = read_tasks(request.folder)
    table = _table(tasks)
    if request.invocation.is_set("json") or request.invocation.text("format") == "json":
        import json

        write(1, json.dumps(_document(tasks, table), indent=2) + "\n")
        return 0
    lines = [f"Tasks of {os.path.relpath(table.path, request.folder)}"]
    for name in table.names():
        count = sum(1 for package in tasks.packages if package.script(name))
        lines += ["", f"{name}  (in {count} package{'' if count == 1 else 's'})"]
        for layer in (layer for layer in table.layers if layer.task == name):
            lines += _layer_lines(layer)
    write(1, "\n".join(lines) + "\n")
    return 0


def _write_durations(request: Request) -> int:
    """Write the durations that rt has measured to the file that --shard reads, for all machines. Raises Failed."""
    import json

    from ...tasks.history import DURATIONS_FILE, History, shared_durations

    root = read_tasks(request.folder).workspace.root
    history = History.of(root)
    measured = {} if history is None else history.seconds
    if not measured:
        raise Failed("durations-unknown", "no durations are known: run the tasks first")
    durations = {**shared_durations(root), **measured}
    path = os.path.join(root, DURATIONS_FILE)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(durations, indent=2, sort_keys=True) + "\n")
    except OSError as error:
        raise Failed("tasks-not-written", f"cannot write {path}: {error.strerror}") from error
    write(1, f"Wrote the durations of {len(measured)} task{'' if len(measured) == 1 else 's'} to {DURATIONS_FILE}\n")
    return 0


def _table(tasks: TaskWorkspace) -> TaskTable:
    if tasks.table is None:
        raise Failed(
            "no-tasks", f"no tasks are defined: {FILE_NAME} has no [tasks], and there is no turbo.json or wireit"
        )
    return tasks.table


def _layer_lines(layer: Layer) -> list[str]:
    lines = [] if layer.package is None else [f"  {layer.package}#{layer.task}  {layer.place}"]
    indent = "  " if layer.package is None else "    "
    width = max(map(len, layer.values), default=0)
    return lines + [
        f"{indent}{key:{width}}  {_shown(value)}  {layer.places.get(key, layer.place)}"
        for key, value in layer.values.items()
    ]


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: Value) -> object:
    """Return a value as in the file, for JSON."""
    return [{AUTO_KEY: True} if item == AUTO else item for item in value] if isinstance(value, tuple) else value


def _document(tasks: TaskWorkspace, table: TaskTable) -> dict[str, object]:
    found = [
        {
            "task": layer.task,
            "package": layer.package,
            "place": layer.place,
            "settings": {
                key: {"value": _plain(value), "place": layer.places.get(key)} for key, value in layer.values.items()
            },
        }
        for layer in table.layers
    ]
    return {"schemaVersion": 1, "origin": table.origin, "root": tasks.workspace.root, "tasks": found}


def _import(request: Request) -> int:
    tasks = read_tasks(request.folder)
    table = _table(tasks)
    path = os.path.join(tasks.workspace.root, FILE_NAME)
    if table.origin == rtfig_source.ORIGIN:
        raise Failed("tasks-imported", f"{FILE_NAME} has tasks already")
    from ...tasks.importing import rtfig_text

    text = rtfig_text(table)
    draft = f"{path}.{os.getpid()}"
    try:
        before = ""
        if os.path.lexists(path):
            with open(path, encoding="utf-8") as file:
                before = file.read()
        # Settings of the workspace stand before the first table, tasks after the last one.
        head, mark, tail = text.partition("[tasks.")
        joined = "\n\n".join(part for part in (head.strip(), before.strip(), (mark + tail).strip()) if part) + "\n"
        with open(draft, "x", encoding="utf-8") as file:
            file.write(joined)
        os.replace(draft, path)
    except OSError as error:
        raise Failed("tasks-not-written", f"cannot write {path}: {error.strerror}") from error
    names = {split_name(layer.task)[1] for layer in table.layers}
    count = len(names)
    shown = os.path.relpath(table.path, request.folder)
    write(1, f"Wrote {count} task{'' if count == 1 else 's'} of {shown} to {os.path.relpath(path, request.folder)}\n")
    return 0
