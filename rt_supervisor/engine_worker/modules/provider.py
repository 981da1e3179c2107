"""The Python part of a program's module loader: data formats, macros, WebAssembly, hooks, and errors with Node's and
Bun's messages.

The loader is native (`native/src/program/loader.rs`) and calls the methods below; those named `fail_...` only raise.
`native` is the loader's Python object.
"""

from __future__ import annotations

from ... import _native
from ..program.problems import (
    AccessDenied,
    ModuleNotFound,
    RequireFailed,
    SourceError,
    SystemCallFailed,
    Thrown,
    awaits,
    awaits_for_node,
    source_error,
)
from .data import data_value, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from ..program.provider import ProgramProvider
    from .hooked import HookedModules
    from .wasm import WasmModules

SOURCE = "rt:source"  # the import attribute that represents `import source`
_FOR_IMPORTS = (ModuleNotFound, RequireFailed, SourceError, SystemCallFailed, Thrown)
COMMONJS_PARAMETERS = ("exports", "require", "module", "__filename", "__dirname")  # of the function that runs CommonJS
# Ends of the engine's messages for syntax that makes a file an ES module.
_ONLY_IN_MODULES = (
    "Cannot use import statement outside a module",
    "Unexpected token 'export'",
    "Cannot use 'import.meta' outside a module",
    "await is only valid in async functions and the top level bodies of modules",
)
_NEVER_SETTLED = "ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED"


class ModuleProvider:
    """Provides modules to a program, or to its macros (`number` 1)."""

    def __init__(self, provider: ProgramProvider, number: int = 0) -> None:
        self._provider = provider
        self.files = provider.files
        self.native = provider.program.loader(number)
        self._wasm: WasmModules | None = None
        self._hooked: HookedModules | None = None
        self.is_hooked = False
        self._failed: list[Any] = []  # exceptions of CommonJS modules that have not been evaluated

    def _numbered(self, number: int) -> ModuleProvider:
        return self if number == 0 else self._provider.macros.modules

    # --- files

    def resolve(self, specifier: str, importer: str, require: bool) -> _native.Resolution:
        """Resolve a specifier that the native loader cannot resolve: its package may be installed, or its file created
        later."""
        return self.files.resolve(specifier, importer, require=require)

    def report_config(self, path: str) -> None:
        """Report the problems of a file's tsconfig, once."""
        self.files.report_config(path)

    def report_loaded(self, records: Sequence[_native.GraphModule]) -> None:
        """Follow the files of `records`."""
        self.files.report_loaded(records)

    # --- modules

    def data_value(self, path: str, loader: str, data: bytes | None) -> Any:
        """Return the value of a file that is not a script, for `require`. Raises SourceError, ModuleNotFound."""
        return data_value(self._provider, path, loader, data)

    def data_module(self, name: str, path: str, loader: str, data: bytes | None) -> _native.JsModule:
        """Return the module of a file that is not a script. Raises SourceError, ModuleNotFound."""
        return self.of_value(name, data_value(self._provider, path, loader, data))

    def of_value(self, name: str, value: Any) -> _native.JsModule:
        """Return the module whose default export is `value`."""
        names, view, *_ = self._provider.entry.invoke("importView", value).to_list()
        return self.of_names(name, names, view)

    def of_names(self, name: str, names: _native.JsArray, view: _native.JsObject) -> _native.JsModule:
        """Return the module with the exports `names`, which are read from `view`."""
        return self._provider.engine.synthetic_module(name, names.to_list(), source=view)

    def expanded(self, record: _native.GraphModule) -> _native.Transformed:
        """Return the script of a record with its macro calls replaced. Raises SourceError, Thrown."""
        return self._provider.macros.expanded(record)

    def data_url(self, number: int, url: str, loader: str | None = None) -> _native.JsModule:
        """Return the module of a `data:` or `blob:` URL, or its source. Raises ModuleNotFound, SourceError."""
        return self._numbered(number)._data_url(url, loader)

    def _data_url(self, url: str, loader: str | None) -> _native.JsModule:
        known = self.native.get(url, loader)
        if known is not None:
            return known
        if loader is not None:
            self._data_url(url, None)
            return self.native.put(url, loader, self.of_value(url, self.wasm.source(url)))
        from .data_urls import create_module

        made = create_module(self._provider, self, url)
        return self.native.put(url, None, made, is_requested=self.wasm_has(url))

    def broken_module(self, name: str, error: BaseException, known: Sequence[str]) -> _native.JsModule:
        """Return a module for CommonJS that threw: it throws the same exception when it is evaluated, after its
        predecessors."""
        if not isinstance(error, _native.JsError):
            raise error
        value = error.value
        self._failed.append(value)

        def throw(_module: object) -> None:
            if value in self._failed:
                self._failed.remove(value)
            raise Thrown(value)

        exports = [each for each in known if each != "default"]
        return self._provider.engine.synthetic_module(name, [*exports, "default"], evaluate=throw)

    # --- WebAssembly

    @property
    def wasm(self) -> WasmModules:
        """The WebAssembly files that have been imported."""
        if self._wasm is None:
            from .wasm import WasmModules

            self._wasm = WasmModules(self._provider, self)
        return self._wasm

    def wasm_has(self, name: str) -> bool:
        return self._wasm is not None and self._wasm.has(name)

    def add_wasm(self, number: int, name: str, data: bytes | None) -> None:
        """Register `name` as the module of a WebAssembly file with the contents `data`."""
        self._numbered(number).wasm.add(name, data)

    def wasm_instance(self, number: int, name: str, names: Sequence[str]) -> _native.JsModule | None:
        """Return the instance for an import of the exports `names`; None if the import gets the file's path."""
        return self._numbered(number).wasm.instance(name, set(names))

    def wasm_source(self, number: int, name: str) -> _native.JsModule:
        """Return the module whose default export is the compiled module of `name`. Raises Thrown."""
        provider = self._numbered(number)
        return provider.of_value(name, provider.wasm.source(name))

    def wasm_main(self, path: str) -> _native.JsModule | None:
        """Return the instance of the main module; None if the file needs WASI and has already run."""
        return self.wasm.main(path)

    # --- hooks

    def set_hooked(self, is_hooked: bool) -> None:
        """Call the program's hooks for each import from now on, or stop calling them."""
        self.is_hooked = is_hooked
        self.native.set_hooked(is_hooked)

    @property
    def hooked(self) -> HookedModules:
        """The modules whose source hooks supplied."""
        if self._hooked is None:
            from .hooked import HookedModules

            self._hooked = HookedModules(self._provider, self)
        return self._hooked

    def hooked_target(self, specifier: str, importer: str, attributes: dict[str, str]) -> _native.JsModule:
        """Return the module that hooks choose for an import. Raises Thrown for an exception of a hook."""
        return self.hooked.target(specifier, importer, attributes)

    def has_hooked(self, name: str) -> bool:
        return self.hooked.has(name)

    def hooked_paths(self) -> list[str]:
        """Return the paths of the modules that hooks gave."""
        return [] if self._hooked is None else self._hooked.paths()

    def take_out_hooked(self, paths: set[str]) -> dict[str, _native.JsModule]:
        """Forget the modules of `paths` that hooks gave, so that hooks are called again; return what `put_back_hooked` takes."""
        return {} if self._hooked is None else self._hooked.take_out(paths)

    def put_back_hooked(self, modules: dict[str, _native.JsModule]) -> None:
        """Restore the modules that `take_out_hooked` took."""
        if modules:
            self.hooked.put_back(modules)

    # --- errors

    def fail_import(self, specifier: str, importer: str, conditions: Sequence[str] | None = None) -> NoReturn:
        """Raise the error of an import that does not resolve."""
        from .unresolved import import_not_found

        found = self.files.resolve(specifier, importer, conditions=conditions)
        node_conditions = self.files.node_conditions(conditions)
        raise import_not_found(specifier, importer, found, self.files.missing_note(specifier), node_conditions)

    def check_for_node(self, name: str, attributes: Sequence[tuple[str, str]]) -> None:
        """Check the format and the attributes of an import as Node does. Raises ModuleNotFound."""
        from .node_formats import check_import

        check_import(name, attributes)

    def check_main_for_node(self, path: str) -> None:
        """Check the format of the main file as Node does. Raises ModuleNotFound."""
        from .node_formats import check_main

        check_main(path, is_in_module_package=self.files.resolver.package_type(path) == "module")

    def fail_cycle(self, kind: str, what: str, importer: str) -> NoReturn:
        """Raise the error of require() for an ES module that leads back to running code. `kind` says how: the module itself
        ("required"), or an import of a module ("module") or of CommonJS ("commonjs") in `importer`."""
        from .node_resolution import cycle

        raise cycle(kind, what, importer)

    def fail_reading(self, path: str, failure: str) -> NoReturn:
        """Raise the error of a file that cannot be read."""
        if failure == "no such file" and self.files.is_node and path == self._provider.options.entry:
            message = f"Cannot find module '{path}'"
            raise ModuleNotFound("MODULE_NOT_FOUND", message, message, properties={"requireStack": []})
        raise AccessDenied(path) if failure == "access denied" else unreadable(path, failure)

    def fail_script(self, transformed: _native.Transformed) -> NoReturn:
        """Raise the first error of a script."""
        if self.files.is_node:
            self.fail_as_engine(transformed.source, transformed.path)
        raise source_error(transformed.problems[0])

    def fail_as_engine(self, source: str, path: str) -> None:
        """Raise the engine's own syntax error for JavaScript that the transpiler rejected; return if there is none."""
        try:
            self.compile_as_engine(source, path)
        except _native.JsError as error:
            raise self.placed(error, is_syntax=True) from error

    def compile_as_engine(self, source: str, path: str) -> None:
        """Compile JavaScript as it is; other files are skipped. Raises JsError."""
        if path.endswith((".ts", ".mts", ".cts", ".tsx", ".jsx", ".json", ".jsonc", ".toml", ".yaml")):
            return
        engine = self._provider.engine
        is_module = path.endswith(".mjs") or self.files.resolver.package_type(path) == "module"
        if not is_module:
            try:
                engine.compile_function(source, COMMONJS_PARAMETERS, path)
                return
            except _native.JsError as error:
                if not str(error).endswith(_ONLY_IN_MODULES):
                    raise
        engine.compile_module(source, path)

    def fail_module(self, code: str, name: str) -> NoReturn:
        """Raise the syntax error that only the engine finds in the source of an ES module."""
        try:
            self._provider.engine.compile_module(code, name)
        except _native.JsError as error:
            raise self.placed(error, is_syntax=True) from error
        raise RuntimeError(f"{name} could not be compiled once")

    def fail_async(self, name: str) -> NoReturn:
        """Raise the error of require() for a module with a top-level await."""
        raise awaits_for_node(name) if self.files.is_node else awaits(name)

    def fail_source(self, name: str) -> NoReturn:
        """Raise the error of `import source` for a module without a source."""
        self.wasm.source(name)
        raise RuntimeError(f"{name} has a source")

    def placed(self, error: BaseException, is_syntax: bool) -> BaseException:
        """Return the exception for an error of the engine that has no frames, with its location."""
        if not isinstance(error, _native.JsError) or error.file is None or error.line is None:
            return error
        sources = self._provider.sources
        line, column, file = sources.map_position(error.file, error.line, error.column or 1)
        source = sources.lines(file or error.file, line, line) or [error.source_line or ""]
        if self.files.is_node and not is_syntax:
            from .missing_names import explain

            explain(self, error, file or error.file, source[0])
        place: Any = {"file": file or error.file, "line": line, "column": column, "source": source[0]}
        return Thrown(self._provider.entry.invoke("placedError", error.value, place, is_syntax))

    def link_failure(self, error: BaseException) -> BaseException:
        """Return the exception for a module graph that cannot be linked."""
        if isinstance(error, _native.JsError) and self._failed:
            return Thrown(self._failed.pop())  # a name is missing because CommonJS threw before exporting it
        return self.placed(error, is_syntax=False)

    def thrown(self, value: Any) -> Thrown:
        """Return the exception that carries a JavaScript value."""
        return Thrown(value)

    def reject_import(self, answer: _native.JsObject, problem: BaseException) -> None:
        """Reject the promise of an `import()`. Raises exceptions that JavaScript must not see."""
        if isinstance(problem, _native.JsError):
            answer.invoke("reject", problem.value)
        elif not isinstance(problem, _FOR_IMPORTS):
            raise problem
        elif not _is_never_settled(problem):
            answer.invoke("reject", self._provider.as_js_error(problem))


def _is_never_settled(problem: Exception) -> bool:
    """Return whether a hook returned a promise that will never settle, so that the import's promise will not settle
    either."""
    value = problem.value if isinstance(problem, Thrown) else None
    return isinstance(value, _native.JsObject) and value.get("code") == _NEVER_SETTLED
