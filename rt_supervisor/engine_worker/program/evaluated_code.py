"""Code outside the main file: `-e`, `-p` and standard input as the main module, and preloads before it.

Errors are raised to the program, which treats them as uncaught.
"""

from __future__ import annotations

import os

from ... import _native
from ...vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .worker import ProgramProvider

COMPLETION = "__rtCompletion"  # holds the value of the last statement, for `-p`


def run_code(worker: ProgramProvider, code: str) -> None:
    """Run `code` as the main module; with `-p`, print its completion value, after it has settled if it is a promise.

    Code that declares itself CommonJS runs as a sloppy script in the global scope, as in Node.
    """
    options = worker.options
    path = os.path.join(options.folder, options.code_name)
    worker.program.set_main_name(path)
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
        worker.program.evaluate(worker.modules.native.from_code(transformed, path))
    if options.prints:
        _print_completion(worker)


def _print_completion(worker: ProgramProvider) -> None:
    value = worker.engine.global_object.get(COMPLETION)
    worker.engine.global_object.delete(COMPLETION)
    if isinstance(value, _native.JsPromise):
        value.mark_as_handled()
        worker.program.settle(value)
        if value.state == "rejected":
            worker.entry.invoke("uncaught", value.result)
        if value.state != "pending":  # a promise that can no longer settle is printed itself
            value = value.result
    worker.entry.invoke("print", value)


def preload_all(worker: ProgramProvider) -> None:
    """Evaluate the modules of `--preload` in order; exceptions of them are uncaught."""
    worker.entry.invoke("preloading", True)
    for specifier in worker.options.preloads:
        worker.attempt(lambda name: preload(worker, name), specifier)
    worker.entry.invoke("preloading", False)


def preload(worker: ProgramProvider, specifier: str) -> None:
    """Evaluate a module of `--preload`, resolved from rt's working folder. Raises Failed."""
    if worker.modules.is_hooked or specifier.startswith("data:"):
        worker.program.evaluate(worker.modules.native.ready_target(specifier, worker.options.folder + "/"))
        return
    found = worker.files.resolve(specifier, worker.options.folder + "/")
    if found.path is None:
        raise Failed("preload-not-found", f'preload not found "{specifier}"')
    transformed = worker.modules.native.script(found.path, as_script=False)
    if transformed is not None and transformed.kind == "commonjs" and not transformed.problems:
        worker.entry.invoke("loadForImport", found.path)
    else:
        worker.program.evaluate(worker.modules.native.instantiate(found.path, found.query))
