"""Code that is no main file: `-e`, `-p` and standard input as a module of its own, and preloads before anything else.

What fails is raised for the worker, which treats it as uncaught.
"""

from __future__ import annotations

import os

from ... import _native
from ...vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .worker import EngineWorker

COMPLETION = "__rtCompletion"  # where `-p` finds the value of the last statement


def run_code(worker: EngineWorker, code: str) -> None:
    """Run `code` as the main module; with `-p` print its completion value, a promise's when it is settled.

    What says that it is CommonJS is a sloppy script in the global scope, as in Node.
    """
    options = worker.options
    worker.main = path = os.path.join(options.folder, options.code_name)
    completion = f"globalThis.{COMPLETION}" if options.prints else None

    def transform(macros: dict[int, str] | None = None) -> _native.Transformed:
        return worker.files.transform(code, path, loader="tsx", completion=completion, macros=macros)

    transformed = transform()
    if transformed.macro_calls:
        transformed = worker.macros.replaced(transformed, transform)
    worker.sources.add(path, transformed)
    if transformed.kind == "commonjs" and not transformed.has_import_meta:
        worker.entry.invoke("runScript", transformed.code, path)
    else:
        worker.program.evaluate(worker.modules.from_code(transformed, path))
    if options.prints:
        _print_completion(worker)


def _print_completion(worker: EngineWorker) -> None:
    value = worker.engine.global_object.get(COMPLETION)
    worker.engine.global_object.delete(COMPLETION)
    if isinstance(value, _native.JsPromise):
        value.mark_as_handled()
        worker.program.settle(value)
        if value.state == "rejected":
            worker.entry.invoke("uncaught", value.result)
        if value.state != "pending":  # one that nothing can settle any more is printed as it is
            value = value.result
    worker.entry.invoke("print", value)


def preload_all(worker: EngineWorker) -> None:
    """Evaluate all that `--preload` names, in its order; what one of them throws is uncaught."""
    worker.entry.invoke("preloading", True)
    for specifier in worker.options.preloads:
        worker.attempt(lambda name: preload(worker, name), specifier)
    worker.entry.invoke("preloading", False)


def preload(worker: EngineWorker, specifier: str) -> None:
    """Evaluate what `--preload` names, as seen from the folder that rt was started in. Raises Failed."""
    if worker.modules.hooked is not None or specifier.startswith("data:"):
        worker.program.evaluate(worker.modules.ready_target(specifier, worker.options.folder + "/", {}))
        return
    files = worker.files
    found = files.resolve(specifier, worker.options.folder + "/")
    if found.path is None:
        raise Failed("preload-not-found", f'preload not found "{specifier}"')
    transformed = files.record(found.path).transformed
    if transformed is not None and transformed.kind == "commonjs" and not transformed.problems:
        worker.entry.invoke("loadForImport", found.path)
    else:
        worker.program.evaluate(worker.modules.instantiated(found.path, found.query))
