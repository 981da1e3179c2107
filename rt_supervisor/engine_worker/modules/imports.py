"""`import()` and `import.meta`: what the engine asks while modules run.

A module that is there already answers in a microtask; anything else is loaded in a turn of the loop of its own, with no
JavaScript on the stack, so that its macros may wait.
"""

from __future__ import annotations

import os

from ... import _native
from ..program.problems import ModuleNotFound, RequireFailed, SourceError, SystemCallFailed, Thrown

INLINE = ("data:", "blob:")  # URLs whose content is no file's
SOURCE = "rt:source"  # the attribute that stands for `import source`

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ..program.worker import EngineWorker

    Answer: TypeAlias = "_native.JsResolver | _Told | _SourceOnly | Begun"


def _is_never_settled(problem: Exception) -> bool:
    """Whether a hook has returned a promise that nothing settles: so is the import's own then."""
    value = problem.value if isinstance(problem, Thrown) else None
    return isinstance(value, _native.JsObject) and value.get("code") == "ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED"


class _Told:
    """Settles a promise of `import()`, and tells who listens to `module.import` before."""

    def __init__(self, resolver: _native.JsResolver, settle: _native.JsFunction) -> None:
        self._resolver = resolver
        self._settle = settle

    def resolve(self, value: _native.ToJs = None) -> None:
        self._settle(False, value)
        self._resolver.resolve(value)

    def reject(self, reason: _native.ToJs) -> None:
        self._settle(True, reason)
        self._resolver.reject(reason)


class _SourceOnly:
    """Settles a promise of `import.source()`, which is the default export of the module that the loader makes."""

    def __init__(self, answer: _native.JsResolver | _Told) -> None:
        self._answer = answer

    def resolve(self, value: Any = None) -> None:
        self._answer.resolve(value["default"])

    def reject(self, reason: _native.ToJs) -> None:
        self._answer.reject(reason)


class Begun:
    """Settles a promise of `import()` that JavaScript has made."""

    def __init__(self, answer: _native.JsObject) -> None:
        self._answer = answer

    def resolve(self, value: _native.ToJs = None) -> None:
        self._answer.invoke("resolve", value)

    def reject(self, reason: _native.ToJs) -> None:
        self._answer.invoke("reject", reason)


def seen_from(importer: str) -> str:
    """Return where names in `importer` are looked for: those in a Blob from the working folder, as in the peer."""
    return os.getcwd() + "/" if importer.startswith("blob:") else importer


class ImportHooks:
    """Answers the engine on behalf of a program's modules."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker
        worker.engine.set_on_import(self._on_import)
        worker.engine.set_on_import_meta(self._on_import_meta)

    def _on_import(
        self, specifier: str, referrer: object, attributes: dict[str, str], resolver: _native.JsResolver
    ) -> None:
        importer = self._worker.modules.place_of(str(referrer))[0]
        hooked = self._worker.modules.hooked
        is_known = importer.startswith(("/", "data:")) or (hooked is not None and hooked.has(importer))
        if not is_known:
            importer = self._folder() + "/"  # code without a file: new Function, vm, the timers' strings, Blobs
        settle = self._worker.entry.invoke("tellOfImport", specifier, importer)
        told = resolver if settle is None else _Told(resolver, settle)
        answer: Answer = _SourceOnly(told) if attributes.get("type") == SOURCE else told
        module = self._worker.modules.known_target(specifier, importer, attributes)
        if module is not None:
            self._evaluate(module, answer)
            return

        def load() -> None:
            self.load(specifier, importer, attributes, answer)
            self._worker.entry.invoke("drain")

        self._worker.loop.complete(load)

    def _folder(self) -> str:
        try:
            return os.getcwd()
        except FileNotFoundError:
            return self._worker.options.folder

    def load(self, specifier: str, importer: str, attributes: dict[str, str], resolver: Answer) -> None:
        """Load a module, evaluate it, and settle the promise of its `import()`."""
        try:
            self._evaluate(self._worker.modules.ready_target(specifier, importer, attributes), resolver)
        except _native.JsError as error:
            resolver.reject(error.value)
        except (ModuleNotFound, RequireFailed, SourceError, SystemCallFailed, Thrown) as problem:
            if not _is_never_settled(problem):
                resolver.reject(self._worker.as_js_error(problem))

    @staticmethod
    def _evaluate(module: _native.JsModule, resolver: Answer) -> None:
        if module.status == "evaluating":  # a macro imports a module that waits for it: it gets what is there
            resolver.resolve(module.namespace)
            return
        promise = module.evaluate()
        promise.then(lambda *_: resolver.resolve(module.namespace), lambda reason=None: resolver.reject(reason))

    def _on_import_meta(self, module: _native.JsModule, meta: _native.JsObject) -> None:
        worker = self._worker
        path, query = worker.modules.place_of(module.name)
        is_main = path == (worker.main or worker.options.entry)
        worker.entry.invoke("meta", meta, path, query, is_main)
        if worker.modules.is_wasm(module.name) and worker.modules.wasm.is_instance(module.name):
            worker.entry.invoke("wasm", "fill", meta, module.name, module.namespace)
        meta.define("__commonjs", worker.entry.invoke("commonJsScope", path, is_main))
