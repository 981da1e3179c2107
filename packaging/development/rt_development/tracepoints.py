"""The debug logs of rt's Python code: functions that write a line when they are called, in debug builds only.

A tracepoint names a scope, a module, a function, and the text of its line. rt's code does not know of them: after a module
with tracepoints has been executed, an import hook replaces the functions by wrappers that write to the native log
(native/wire/src/debug_log.rs), which decides whether and where lines appear.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable
from typing import Any, NamedTuple


class Tracepoint(NamedTuple):
    """`text` is a function of the call's result and arguments."""

    scope: str
    module: str
    function: str
    text: Callable[..., str]


TRACEPOINTS = (
    Tracepoint("plan", "plan.choosing", "choose", lambda choice, *_, **__: f"chosen: {choice!r}"[:400]),
    Tracepoint(
        "plan",
        "plan.cache",
        "load",
        lambda choice, *_, **__: f"the plan is {'known' if choice else 'not known'} from a run",
    ),
    Tracepoint(
        "plan",
        "plan.recipe",
        "assemble",
        lambda plan, *_, **__: f"{plan.mode}, {plan.concurrency} at once: {[task.label for task in plan.tasks]}"[:400],
    ),
    Tracepoint("plan", "plan.cache", "store", lambda _, request, *__, **___: f"stored the plan of {request!r}"[:400]),
    Tracepoint("zygote", "workers.zygote", "zygote_starter", lambda *_, **__: "zygotes can be forked"),
    Tracepoint(
        "packages", "packages.installing", "Installer.install", lambda package, *_, **__: f"installed {package!r}"
    ),
    Tracepoint("packages", "packages.transport", "Transport.get", lambda reply, _, url, *__: f"GET {url}"),
    Tracepoint(
        "tasks", "tasks.task_cache", "TaskCache.decide", lambda found, _, key, **__: f"task {key}: {found!r}"[:400]
    ),
    Tracepoint("tasks", "tasks.task_plan", "make_plan", lambda *_, **__: "the graph of tasks is complete"),
    Tracepoint("watch", "watching.descriptions", "describe_files", lambda words, *_: f"changed: {words}"),
    Tracepoint("watch", "watching.events", "FileEvents.add", lambda _, __, path: f"watches {path}"),
    Tracepoint("shell", "shell.parser", "parse", lambda _, *words, **__: f"parsed {words[0]!r}"[:400]),
)


def install() -> None:
    """Install the tracepoints of the modules that are imported from now on."""
    sys.meta_path.insert(0, _Finder())


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules with tracepoints as Python does, with a loader that adds them."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        name = fullname.partition("rt_supervisor.")[2]
        points = [point for point in TRACEPOINTS if point.module == name]
        if not points:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_trace(module: Any) -> None:
                execute(module)
                for point in points:
                    _trace(module, point)

            spec.loader.exec_module = execute_and_trace  # type: ignore[method-assign]
        return spec


def _trace(module: Any, point: Tracepoint) -> None:
    *owners, name = point.function.split(".")
    owner = functools.reduce(getattr, owners, module)
    function = getattr(owner, name)

    @functools.wraps(function)
    def traced(*arguments: Any, **named: Any) -> Any:
        from rt_supervisor._native import is_debug_scope_on, write_debug_log  # type: ignore[attr-defined]

        result = function(*arguments, **named)
        if is_debug_scope_on(point.scope):
            write_debug_log(point.scope, point.text(result, *arguments, **named))
        return result

    setattr(owner, name, traced)
