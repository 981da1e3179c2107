"""V8's modules of one program: each once for its name (path and query) and the loader it was asked for with, linked.

`files` has read whole graphs; `_native.ModuleTable` makes modules of their plain files and links them, dependencies first.
This makes all others: built-in ones, data, CommonJS, what uses macros, what hooks give. CommonJS runs while it is linked,
because its names are known only after it ran; what it throws is thrown when the import is evaluated. Linking may start
again inside itself, when such a file requires an ES module, even one that is being linked.
"""

from __future__ import annotations

from ... import _native
from ..program.problems import Thrown
from .builtin_modules import BuiltinModules
from .data import data_value
from .files import runnable
from .imports import INLINE, SOURCE, seen_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from ..program.worker import EngineWorker
    from .files import ModuleFiles
    from .hooked import HookedModules
    from .wasm import WasmModules

    Unread = tuple[list[str], _native.JsObject, _native.JsValue]  # names, where they are read from, CommonJS's exports

MODULE_NAMES = ("require", "__filename", "__dirname")
CODE_NAMES = (*MODULE_NAMES, "module", "exports")
_SCRIPTS = ("js", "jsx", "ts", "tsx")
_LOADERS = (*_SCRIPTS, "json", "jsonc", "json5", "toml", "yaml", "text", "file", "md", "xml", "sqlite")


class ModuleLoader:
    """The modules of one program, or of its macros."""

    def __init__(self, worker: EngineWorker, files: ModuleFiles, table: _native.ModuleTable | None = None) -> None:
        self._worker = worker
        self.files = files
        keepers = worker.compiling.keepers
        self._table = table or _native.ModuleTable(worker.engine, files.records, worker.sources, keepers)
        self._places: dict[str, tuple[str, str]] = {}  # module name -> path, query; where they are not the name, ""
        self._unread: dict[str, Unread] = {}
        self.builtins = BuiltinModules(worker, self._table)
        self._paths: set[str] = set()  # of what was made here
        self._importers: dict[str, set[str]] | None = (
            {} if worker.options.hot else None
        )  # by name, where it is asked for
        self._hooked: HookedModules | None = None
        self._wasm: WasmModules | None = None
        self._failed: list[Any] = []  # what CommonJS threw that has not been evaluated
        self._table.ask_always(self._importers is not None or files.installs_first)

    @property
    def hooked(self) -> HookedModules | None:
        """The modules that hooks give; None while the program has no hooks."""
        return self._hooked

    @hooked.setter
    def hooked(self, hooked: HookedModules | None) -> None:
        self._hooked = hooked
        self._table.ask_always(hooked is not None or self._importers is not None or self.files.installs_first)

    def instantiated(self, path: str, query: str = "", attributes: dict[str, str] | None = None) -> _native.JsModule:
        """Return the module of a file, linked with all it imports and ready to be evaluated.

        Raises ModuleNotFound, SourceError, Thrown, JsError (an import that has no export).
        """
        if self.hooked is not None:
            return self._ready(self.hooked.target(path + query, "", attributes or {}))
        return self._ready(self._module(path, query, _loader_of(attributes)))

    def instantiated_main(self, path: str) -> _native.JsModule | None:
        """As `instantiated`, for the program's file; None where that has run: it was written for WASI."""
        module = self.instantiated(path)
        return self.wasm.main(path) if self.is_wasm(module.name) else module

    def required(self, path: str, query: str) -> _native.JsModule:
        """As `instantiated`, for a file that hooks have been asked about already."""
        return self._ready(self._module(path, query, None))

    def from_code(self, transformed: _native.Transformed, path: str) -> _native.JsModule:
        """Return the linked module of evaluated code."""
        module = self._compile(transformed, path, path, "", names=CODE_NAMES)
        return self._ready(self._table.put(path, None, module))

    def builtin(self, name: str) -> _native.JsModule:
        return self.builtins.module(name)

    @property
    def wasm(self) -> WasmModules:
        """The WebAssembly files that were imported."""
        if self._wasm is None:
            from .wasm import WasmModules

            self._wasm = WasmModules(self._worker, self, self._table)
        return self._wasm

    def is_wasm(self, name: str) -> bool:
        return self._wasm is not None and self._wasm.has(name)

    def _as_wasm(
        self, module: _native.JsModule, attributes: dict[str, str], asker: tuple[str, str] | None = None
    ) -> _native.JsModule:
        """Return what an import of `module` gets: a WebAssembly file's instance, if the `asker` (module, specifier) wants it."""
        if not self.is_wasm(module.name) or _loader_of(attributes) is not None:
            return module
        return self.wasm.instance(module.name, {"*"} if asker is None else self._asked(*asker)) or module

    def data_url(self, url: str, loader: str | None = None) -> _native.JsModule:
        """Return the module of a `data:` or `blob:` URL with JavaScript, TypeScript, JSON, WebAssembly or text."""
        loader = loader if loader == SOURCE else None
        known = self._table.get(url, loader)
        if known is not None:
            return known
        if loader is not None:
            self.data_url(url)
            return self._table.put(url, loader, self._of_value(url, self.wasm.source(url)))
        from .data_urls import made_of

        return self._table.put(url, None, made_of(self._worker, self, url), is_asked_for=self.is_wasm(url))

    def ready_target(self, specifier: str, importer: str, attributes: dict[str, str]) -> _native.JsModule:
        """Return what `import(specifier)` in `importer` leads to, ready to be evaluated."""
        if self.hooked is not None:
            return self._ready(self._as_wasm(self.hooked.target(specifier, importer, attributes), attributes))
        if specifier.startswith(INLINE):
            return self._ready(self._as_wasm(self.data_url(specifier, _loader_of(attributes)), attributes))
        target = self.files.resolve(specifier, importer)
        module = self._as_wasm(self._of_resolution(specifier, importer, attributes, target), attributes)
        if self._importers is not None:
            self._importers.setdefault(module.name.partition("?")[0], set()).add(importer)
        return self._ready(module)

    def known_target(self, specifier: str, importer: str, attributes: dict[str, str]) -> _native.JsModule | None:
        """Return what `import(specifier)` leads to if it is there and was evaluated."""
        if self.hooked is not None:
            return None
        if specifier.startswith(INLINE):
            module = self._table.get(specifier, _loader_of(attributes))
        else:
            target = self.files.resolve(specifier, importer)
            if target.builtin is not None and _loader_of(attributes) != SOURCE:
                return self._ready(self.builtin(target.builtin))
            module = self._table.get((target.path or "") + target.query, _loader_of(attributes))
        if module is not None and self.is_wasm(module.name) and _loader_of(attributes) is None:
            return None
        return module if module is not None and module.status in ("evaluated", "errored") else None

    def place_of(self, name: str) -> tuple[str, str]:
        """Return (path, query) of the module that stack frames call `name`."""
        return self._places.get(name, (name, ""))

    # --- what `hooked` asks

    def known(self, name: str, attributes: dict[str, str]) -> _native.JsModule | None:
        """Return the module of `name` (path and query) if it was made."""
        return self._table.get(name, _loader_of(attributes))

    def of_path(self, name: str, attributes: dict[str, str]) -> _native.JsModule:
        """Return the module of `name`, as it is without hooks."""
        if name.startswith(INLINE):
            return self.data_url(name)
        path, mark, query = name.partition("?")
        return self._module(path, mark + query, _loader_of(attributes))

    def of_value(self, name: str, value: Any) -> _native.JsModule:
        return self._of_value(name, value)

    def of_names(self, name: str, names: _native.JsArray, view: _native.JsObject) -> _native.JsModule:
        return self._synthetic(name, names, view)

    def compile_text(self, transformed: _native.Transformed, name: str) -> _native.JsModule:
        """Return the module of a text that stands for `name`, to be linked."""
        path, mark, query = name.partition("?") if name.startswith("/") else (name, "", "")
        return self._compile(transformed, path, name, mark + query)

    def require_text(self, module: _native.JsModule) -> _native.JsModule:
        return self._ready(module)

    # --- reloading (`hot`)

    def importers_of(self, path: str) -> set[str]:
        """Return the paths of the modules that have imported `path`."""
        return set() if self._importers is None else self._importers.get(path, set())

    def take_out(self, paths: Collection[str]) -> _native.TakenModules:
        """Forget the modules of `paths`, so that they are made anew; return what `put_back` takes."""
        taken = self._table.take_out(set(paths))
        self._paths.update(name.partition("?")[0] for name in taken.names)
        return taken

    def put_back(self, taken: _native.TakenModules) -> None:
        """Have the modules again that `take_out` took."""
        self._table.put_back(taken)

    # --- making modules

    def _module(self, path: str, query: str, loader: str | None) -> _native.JsModule:
        name = path + query
        known = self._table.get(name, loader)
        if known is None and not query and loader is None:
            known = self._table.make(path)
        if known is not None:
            return known
        if loader == SOURCE:
            self._module(path, query, None)
            return self._table.put(name, loader, self._of_value(name, self.wasm.source(name)))
        if loader is not None and loader not in _SCRIPTS:
            is_addon = loader == "napi"
            made = self._of_addon(name, path) if is_addon else self._of_data(name, path, loader, None)
            return self._table.put(name, loader, made)
        if query and (path in self._paths or self._table.get(path) is not None):
            self.files.read_again(path)  # the same file under another name: it may have changed
        self._paths.add(path)
        record = self.files.record(path, loader)
        made = self._make(name, path, query, record)
        # CommonJS that ran meanwhile may have led here, too.
        is_asked_for = name in self._unread or record.loader == "wasm"
        return self._table.put(name, loader, made, record=record, is_asked_for=is_asked_for)

    def _make(self, name: str, path: str, query: str, record: _native.GraphModule) -> _native.JsModule:
        if record.loader == "napi":
            return self._of_addon(name, path)
        if record.loader == "wasm":
            self.wasm.add(name, record.data)
        if record.transformed is None:
            return self._of_data(name, path, record.loader, record.data)
        transformed = runnable(record.transformed, path)
        if transformed.kind == "commonjs":
            return self._of_commonjs(name, transformed)
        if transformed.macro_calls:
            transformed = self._worker.macros.expanded(record)
        try:
            return self._compile(transformed, path, name, query)
        except Thrown:
            if not transformed.is_ambiguous or not self._worker.compiling.fits_commonjs(transformed):
                raise
            return self._of_commonjs(name, transformed)

    def is_sloppy(self, transformed: _native.Transformed) -> bool:
        """Whether a file without a declared kind has syntax that is an error in strict code, so that it must be a script."""
        if not transformed.is_ambiguous or transformed.kind != "module":
            return False
        engine, path = self._worker.engine, transformed.path
        try:
            engine.compile_module(transformed.code, path)
            return False
        except _native.JsError:
            return self._worker.compiling.fits_commonjs(transformed)

    def _compile(
        self,
        transformed: _native.Transformed,
        path: str,
        name: str,
        query: str,
        *,
        names: Sequence[str] = MODULE_NAMES,
    ) -> _native.JsModule:
        compiling, sources = self._worker.compiling, self._worker.sources
        if path != name:
            self._places[name] = (path, query)
        wanted = [each for each in names if each in transformed.names]
        if wanted:
            # ES modules may use some of CommonJS's variables unless they declare their own.
            head = f"const {{{','.join(wanted)}}} = import.meta.__commonjs; "
            try:
                module = compiling.module(head + transformed.code, name)
                sources.add(name, transformed, shifted_by=len(head))
                return module
            except _native.JsError:
                pass
        sources.add(name, transformed)
        compiled: _native.JsModule = self._worker.compiled(lambda: compiling.module(transformed.code, name))
        return compiled

    def _of_commonjs(self, name: str, transformed: _native.Transformed) -> _native.JsModule:
        try:
            package_type = "module" if transformed.is_in_module_package else ""
            loaded = self._worker.entry.invoke("loadForImport", name, transformed.commonjs_exports, package_type)
        except _native.JsError as error:
            return self.broken(name, error.value, transformed.commonjs_exports)
        return self.of_loaded(name, loaded)

    def of_loaded(self, name: str, loaded: _native.JsArray) -> _native.JsModule:
        """Return the module of CommonJS that has run: `loaded` is [names, view, names that were not read, exports]."""
        names, view, unread, exports = loaded.to_list()
        if left := unread.to_list():
            self._unread[name] = left, view, exports
        return self._synthetic(name, names, view)

    def _of_addon(self, name: str, path: str) -> _native.JsModule:
        """Return a native addon's module: what `require` gives is its default export."""
        try:
            names, view = self._worker.entry.invoke("importAddon", path).to_list()
        except _native.JsError as error:
            return self.broken(name, error.value, ())
        return self._synthetic(name, names, view)

    def broken(self, name: str, value: Any, known: Sequence[str]) -> _native.JsModule:
        """Return the module of CommonJS that threw: it throws the same when it is evaluated, after what comes before it."""
        self._failed.append(value)

        def throw(_module: object) -> None:
            if value in self._failed:
                self._failed.remove(value)
            raise Thrown(value)

        exports = [each for each in known if each != "default"]
        return self._worker.engine.synthetic_module(name, [*exports, "default"], evaluate=throw)

    def _of_data(self, name: str, path: str, loader: str, data: bytes | None) -> _native.JsModule:
        return self._of_value(name, data_value(self._worker, path, loader, data))

    def _of_value(self, name: str, value: Any) -> _native.JsModule:
        names, view, *_ = self._worker.entry.invoke("importView", value).to_list()
        return self._synthetic(name, names, view)

    def _synthetic(self, name: str, names: _native.JsArray, view: _native.JsObject) -> _native.JsModule:
        return self._worker.engine.synthetic_module(name, names.to_list(), source=view)

    # --- linking

    def _ready(self, root: _native.JsModule) -> _native.JsModule:
        if root.status != "unlinked":
            return root
        self._table.link(root, self._child)
        try:
            if root.status == "unlinked":  # still: CommonJS may have required it meanwhile
                root.instantiate()
        except _native.JsError as error:
            if self._failed:  # it lacks a name because it threw before it was exported
                raise Thrown(self._failed.pop()) from error
            raise self._worker.placed(error, is_syntax=False) from error
        return root

    def _child(
        self, importer: _native.JsModule, specifier: str, attributes: dict[str, str], target: _native.Resolution | None
    ) -> _native.JsModule:
        """Return what `specifier` in `importer` means, which leads to `target` if that is known."""
        path, _ = self.place_of(importer.name)
        if self._hooked is not None:
            child = self._hooked.target(specifier, path, attributes)
            return self._as_wasm(child, attributes, (importer.name, specifier))
        if specifier.startswith(INLINE):
            child = self.data_url(specifier, _loader_of(attributes))
        else:
            place = seen_from(path)
            if place != path or target is None or target.failure is not None or self.files.installs_first:
                target = self.files.resolve(specifier, place)
            child = self._of_resolution(specifier, place, attributes, target)
        child = self._as_wasm(child, attributes, (importer.name, specifier))
        if child.name in self._unread:
            self._read(child, importer.name, specifier)
        if self._importers is not None:
            self._importers.setdefault(child.name.partition("?")[0], set()).add(path)
        return child

    def _read(self, child: _native.JsModule, importer: str, specifier: str) -> None:
        """Read the exports of CommonJS that `importer` asks for and nobody has before."""
        left, view, exports = self._unread[child.name]
        asked = self._asked(importer, specifier)
        wanted = [name for name in left if name in asked or "*" in asked]
        left[:] = [name for name in left if name not in wanted]
        self._worker.entry.invoke("readForImport", exports, view, wanted)
        if child.status == "evaluated":
            for name in wanted:
                child.set_export(name, view[name])

    def _asked(self, importer: str, specifier: str) -> set[str]:
        """Return the exports of `specifier` that the module `importer` asks for; `*` are all."""
        text = self._worker.sources.get(importer)
        return {name for source, name in text.asked_for if source == specifier} if text else {"*"}

    def _of_resolution(
        self, specifier: str, importer: str, attributes: dict[str, str], target: _native.Resolution
    ) -> _native.JsModule:
        if target.builtin is not None:
            if _loader_of(attributes) == SOURCE:
                self.wasm.source(f"node:{target.builtin}")
            return self.builtin(target.builtin)
        if target.path is None:
            from .unresolved import import_not_found

            raise import_not_found(specifier, importer, target, self.files.missing_note(specifier))
        return self._module(target.path, target.query, _loader_of(attributes))


def _loader_of(attributes: dict[str, str] | None) -> str | None:
    """The loader that import attributes ask for; words that are none ask for nothing."""
    kind = attributes.get("type") if attributes else None
    return kind if kind in _LOADERS or kind == SOURCE else None
