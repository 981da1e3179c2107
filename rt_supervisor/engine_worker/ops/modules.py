"""What `js/node/module/commonjs.js` asks of the host: where a specifier leads, what a file holds, a compiled wrapper."""

from __future__ import annotations

import os

from ..modules.compiling import PARAMETERS
from ..modules.data import data_value, parse_toml
from ..modules.files import runnable
from ..program.problems import ModuleNotFound, Thrown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..program.worker import EngineWorker

SCRIPTS = tuple(f".{prefix}{kind}" for prefix in ("", "c", "m") for kind in ("js", "ts"))
IMPORT_META = "__rt_import_meta"  # what the transpiler makes of `import.meta` in CommonJS


def operations(worker: EngineWorker) -> dict[str, Any]:
    files = worker.files

    def resolve(specifier: str, importer: str, require: bool, conditions: Any = None) -> list[str]:
        further = conditions and conditions.to_list()
        found = files.resolve(specifier, importer, require=require, conditions=further)
        if found.builtin is not None:
            return ["builtin", found.builtin, ""]
        if found.failure is not None or found.path is None:
            return ["failure", found.failure or "module-not-found", files.missing_note(specifier)]
        return ["file", found.path, found.query]

    loaded = worker.required

    def load_commonjs(name: str) -> list[Any]:
        path = name if os.path.exists(name) else name.partition("?")[0]
        is_again = path in loaded  # it went from require.cache, or is wanted with another query: it may have changed
        if is_again:
            files.read_again(path)
        loaded.add(path)
        if path.endswith(".node"):
            return ["addon", path]
        record = files.record(path, as_script=True)
        if record.loader == "napi":
            return ["addon", path]
        if record.loader == "md":  # required as it is imported: the page is the default export
            return ["esm"]
        if record.transformed is None:
            return ["value", data_value(worker, path, record.loader, record.data)]
        transformed = runnable(record.transformed, path)
        if transformed.kind != "commonjs" and not worker.modules.is_sloppy(transformed):
            if is_again and transformed.is_ambiguous:  # Node has it for CommonJS, which runs again
                worker.modules.take_out((path,))
            return ["esm"]
        worker.sources.add(path, transformed)
        if transformed.has_import_meta:
            return ["function with import.meta", compiled(transformed.code, path, (*PARAMETERS, IMPORT_META))]
        return ["function", worker.compiling.take_fitting(path) or compiled(transformed.code, path)]

    def compiled(code: str, path: str, parameters: tuple[str, ...] = PARAMETERS) -> Any:
        return worker.compiled(lambda: worker.compiling.function(code, path, parameters))

    def source_text(path: str) -> str | None:
        """Return what a script holds, None for any other file and one that cannot be read."""
        if path.endswith(".node"):
            return None
        if path.endswith(SCRIPTS) and not files.has_loaders:  # what it holds is for another to read
            try:
                with open(path, encoding="utf-8-sig", errors="replace") as file:
                    return file.read()
            except OSError:
                return None
        try:
            transformed = files.record(path, as_script=True).transformed
        except ModuleNotFound:  # whoever loads it without a text of his own says so
            return None
        return None if transformed is None else transformed.source

    def transpiled_text(path: str, text: str, loader: str) -> str:
        transformed = files.transform(text, path, loader=loader or None)
        worker.sources.add(path, transformed)
        return transformed.code

    def is_module_text(path: str, text: str, loader: str) -> bool:
        return files.transform(text, path, loader=loader).kind != "commonjs"

    def evaluate_wrapped(code: str, path: str) -> Any:
        return worker.compiled(lambda: worker.engine.run(code, path))

    def require_esm(name: str) -> Any:
        path = name if os.path.exists(name) else name.partition("?")[0]
        return worker.evaluate_now(worker.modules.required(path, name[len(path) :]))

    hooked: list[Any] = []  # made with the first hooks

    def hooked_modules() -> Any:
        if not hooked:
            from ..modules.hooked import HookedModules

            hooked.append(HookedModules(worker, worker.modules))
        return hooked[0]

    def set_hooked(is_hooked: bool) -> None:
        worker.modules.hooked = hooked_modules() if is_hooked else None

    def require_source(name: str, text: str, script: str) -> Any:
        module = hooked_modules().from_text(name, text, script)
        return worker.evaluate_now(worker.modules.require_text(module))

    def fail_import(specifier: str, importer: str, conditions: Any = None) -> None:
        from ..modules import unresolved

        found = files.resolve(specifier, importer, conditions=conditions and conditions.to_list())
        raise unresolved.import_not_found(specifier, importer, found, files.missing_note(specifier))

    def fail_require(specifier: str, importer: str) -> None:
        from ..modules import unresolved

        problem = unresolved.require_not_found(specifier, importer, files.resolve(specifier, importer, require=True))
        if problem is not None:
            raise problem

    def settle(promise: Any) -> list[Any]:
        worker.program.settle(promise)
        return [promise.state, None if promise.state == "pending" else promise.result]

    def enable_compile_cache(folder: str, is_portable: bool, is_read_only: bool, is_disabled: bool) -> list[Any]:
        from ..modules import compile_cache

        return compile_cache.enable(
            worker, folder, is_portable=is_portable, is_read_only=is_read_only, is_disabled=is_disabled
        )

    def compile_cache_folder() -> str | None:
        return worker.compiling.keepers.cache_folder

    def flush_compile_cache() -> None:
        worker.compiling.keepers.flush_cache()

    def import_now(specifier: str, importer: str) -> Any:
        module = worker.modules.ready_target(specifier, importer, {})
        promise = module.evaluate()
        worker.program.settle(promise)
        if promise.state == "rejected":
            raise Thrown(promise.result)
        return worker.entry.invoke("resolved", module.namespace)

    return {
        "setHooked": set_hooked,
        "enableCompileCache": enable_compile_cache,
        "compileCacheFolder": compile_cache_folder,
        "flushCompileCache": flush_compile_cache,
        "requireSource": require_source,
        "failImport": fail_import,
        "failRequire": fail_require,
        "importNow": import_now,
        "settle": settle,
        "synchronizeBuiltins": lambda: worker.modules.builtins.synchronize(),
        "useGlobalFolders": lambda folders: files.use_global_folders(folders.to_list()),
        "resolve": resolve,
        "loadCommonJs": load_commonjs,
        "requireEsm": require_esm,
        "compileWrapper": compiled,
        "sourceText": source_text,
        "transpiledText": transpiled_text,
        "isModuleText": is_module_text,
        "evaluateWrapped": evaluate_wrapped,
        "runMain": worker.run_file,
        "runMainModule": lambda path: worker.run_file(path, is_module=True),
        "reload": worker.reload,
        "parseToml": lambda text: parse_toml(text, "TOML"),
    }
