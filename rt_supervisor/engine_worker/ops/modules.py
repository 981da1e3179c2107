"""What `js/node/module` asks of Python: scripts that are in no file, hooks, errors, packages that are installed.

Most operations of modules are native (`native/src/program/commonjs.rs`); `resolve` and `compileWrapper` come here where the
native ones do not answer.
"""

from __future__ import annotations

from ... import _native
from ..modules.data import parse_toml
from ..modules.provider import COMMONJS_PARAMETERS
from ..program.problems import ModuleNotFound, Thrown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..program.provider import ProgramProvider

SCRIPTS = tuple(f".{prefix}{kind}" for prefix in ("", "c", "m") for kind in ("js", "ts"))


def operations(provider: ProgramProvider) -> dict[str, Any]:
    files = provider.files

    def resolve(specifier: str, importer: str, require: bool, conditions: Any = None) -> list[str]:
        further = conditions and conditions.to_list()
        found = files.resolve(specifier, importer, require=require, conditions=further)
        if found.builtin is not None:
            return ["builtin", found.builtin, ""]
        if found.failure is not None or found.path is None:
            return ["failure", found.failure or "module-not-found", files.missing_note(specifier)]
        return ["file", found.path, found.query]

    def compile_wrapper(code: str, path: str) -> Any:
        try:
            return provider.engine.compile_function(code, COMMONJS_PARAMETERS, path)
        except _native.JsError as error:
            raise provider.modules.placed(error, is_syntax=True) from error

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
            transformed = provider.modules.native.script(path)
        except ModuleNotFound:  # loading it without a text fails in the same way
            return None
        return None if transformed is None else transformed.source

    def transpiled_text(path: str, text: str, loader: str) -> str:
        transformed = files.transform(text, path, loader=loader or None)
        provider.sources.add(path, transformed)
        return transformed.code

    def is_module_text(path: str, text: str, loader: str) -> bool:
        return files.transform(text, path, loader=loader).kind != "commonjs"

    def evaluate_wrapped(code: str, path: str) -> Any:
        try:
            return provider.engine.run(code, path)
        except _native.JsError as error:
            if error.is_from_compiler:
                raise provider.modules.placed(error, is_syntax=True) from error
            raise  # the script threw it: it keeps its class, code and frames

    def evaluate_main(code: str, path: str) -> list[object] | None:
        """Evaluate a script; return what it threw with the place of the throw: [value, file, line, column], from 1."""
        try:
            evaluate_wrapped(code, path)
        except _native.JsError as error:
            if error.is_from_compiler:
                raise
            return [error.value, error.file, error.line or 0, error.column or 0]
        return None

    def require_source(name: str, text: str, script: str) -> Any:
        module = provider.modules.hooked.from_text(name, text, script)
        return provider.program.evaluate_now(provider.modules.native.ready(module))

    def fail_import(specifier: str, importer: str, conditions: Any = None) -> None:
        provider.modules.fail_import(specifier, importer, conditions and conditions.to_list())

    def fail_require(specifier: str, importer: str, conditions: Any = None) -> None:
        from ..modules import unresolved

        further = conditions and conditions.to_list()
        found = files.resolve(specifier, importer, require=True, conditions=further)
        problem = unresolved.require_not_found(specifier, importer, found, files.node_conditions(further))
        if problem is not None:
            raise problem

    def settle(promise: Any) -> list[Any]:
        provider.program.settle(promise)
        return [promise.state, None if promise.state == "pending" else promise.result]

    def use_global_folders(folders: Any) -> None:
        files.use_global_folders(folders.to_list())
        provider.program.change_files(files.resolver, files.transform_options)

    def import_now(specifier: str, importer: str) -> Any:
        module = provider.modules.native.ready_target(specifier, importer)
        promise = module.evaluate()
        provider.program.settle(promise)
        if promise.state == "rejected":
            raise Thrown(promise.result)
        return provider.entry.invoke("resolved", module.namespace)

    return {
        "setHooked": provider.modules.set_hooked,
        "requireSource": require_source,
        "failImport": fail_import,
        "failRequire": fail_require,
        "failCycle": provider.modules.fail_cycle,
        "importNow": import_now,
        "settle": settle,
        "follow": files.follow,
        "useGlobalFolders": use_global_folders,
        "resolve": resolve,
        "compileWrapper": compile_wrapper,
        "sourceText": source_text,
        "transpiledText": transpiled_text,
        "isModuleText": is_module_text,
        "evaluateMain": evaluate_main,
        "evaluateWrapped": evaluate_wrapped,
        "reload": provider.reload,
        "parseToml": lambda text: parse_toml(text, "TOML"),
    }
