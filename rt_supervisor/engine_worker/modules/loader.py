"""V8's modules of one program: each once for its name (path and query) and the loader it was asked for with, linked.

`files` has read whole graphs; `_native.ModuleTable` makes modules of their plain files and links them, dependencies first.
This makes all others: built-in ones, data, CommonJS, what uses macros, what hooks give. CommonJS runs while it is linked,
because its names are known only after it ran; what it throws is thrown when the import is evaluated. Linking may start
again inside itself, when such a file requires an ES module, even one that is being linked.
"""

from __future__ import annotations

from ... import _native
from ..program.problems import Thrown, import_not_found
from .data import data_value, parse_json, read_data_url
from .files import runnable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

    from ..program.worker import EngineWorker
    from .files import ModuleFiles
    from .hooked import HookedModules

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
        self._table = table or _native.ModuleTable(worker.engine, files.records, worker.sources.texts)
        self._places: dict[str, tuple[str, str]] = {}  # module name -> path, query; where they are not the name, ""
        self._unread: dict[str, Unread] = {}
        self._builtins: dict[str, _native.JsArray] = {}  # the names of the exports of those that were imported
        self._paths: set[str] = set()  # of what was made here
        self._importers: dict[str, set[str]] | None = (
            {} if worker.options.hot else None
        )  # by name, where it is asked for
        self._hooked: HookedModules | None = None
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

    def required(self, path: str, query: str) -> _native.JsModule:
        """As `instantiated`, for a file that hooks have been asked about already."""
        return self._ready(self._module(path, query, None))

    def from_code(self, transformed: _native.Transformed, path: str) -> _native.JsModule:
        """Return the linked module of evaluated code."""
        module = self._compile(transformed, path, path, "", names=CODE_NAMES)
        return self._ready(self._table.put(path, None, module))

    def builtin(self, name: str) -> _native.JsModule:
        known = self._table.get(f"node:{name}")
        if known is not None:
            return known
        names, view = self._worker.entry.invoke("builtin", name).to_list()
        self._builtins[name] = names
        return self._table.put(f"node:{name}", None, self._synthetic(f"node:{name}", names, view))

    def know_builtins(self, imported: Iterable[str]) -> None:
        """The program has `imported` these before Python was there."""
        for name in imported:
            self._builtins[name] = self._worker.entry.invoke("builtin", name).to_list()[0]

    def synchronize_builtins(self) -> None:
        """Set the exports of the built-in modules that were imported to what these modules have now."""
        for name, names in self._builtins.items():
            module = self._table.get(f"node:{name}")
            if module is None or module.status != "evaluated":
                continue  # it reads them when it is evaluated
            values = self._worker.entry.invoke("builtinValues", name, names).to_list()
            for key, value in zip(names.to_list(), values, strict=True):
                module.set_export(key, value)

    def data_url(self, url: str) -> _native.JsModule:
        """Return the module of a `data:` URL with JavaScript, TypeScript, JSON or text."""
        return self._table.get(url) or self._table.put(url, None, self._of_data_url(url))

    def ready_target(self, specifier: str, importer: str, attributes: dict[str, str]) -> _native.JsModule:
        """Return what `import(specifier)` in `importer` leads to, ready to be evaluated."""
        if self.hooked is not None:
            return self._ready(self.hooked.target(specifier, importer, attributes))
        if specifier.startswith("data:"):
            return self._ready(self.data_url(specifier))
        module = self._of_resolution(specifier, importer, attributes, self.files.resolve(specifier, importer))
        if self._importers is not None:
            self._importers.setdefault(module.name.partition("?")[0], set()).add(importer)
        return self._ready(module)

    def known_target(self, specifier: str, importer: str, attributes: dict[str, str]) -> _native.JsModule | None:
        """Return what `import(specifier)` leads to if it is there and was evaluated."""
        if self.hooked is not None:
            return None
        if specifier.startswith("data:"):
            module = self._table.get(specifier)
        else:
            target = self.files.resolve(specifier, importer)
            if target.builtin is not None:
                return self._ready(self.builtin(target.builtin))
            module = self._table.get((target.path or "") + target.query, _loader_of(attributes))
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
        if name.startswith("data:"):
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

    def use_compile_cache(self, cache: _native.CompileCache) -> None:
        self._table.use_compile_cache(cache)

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
        if loader is not None and loader not in _SCRIPTS:
            made = (
                self._of_addon(name, path)
                if loader == "napi"
                else self._of_value(name, data_value(self._worker, path, loader, None))
            )
            return self._table.put(name, loader, made)
        if query and (path in self._paths or self._table.get(path) is not None):
            self.files.read_again(path)  # the same file under another name: it may have changed
        self._paths.add(path)
        record = self.files.record(path, loader)
        made = self._make(name, path, query, record)
        # CommonJS that ran meanwhile may have led here, too.
        return self._table.put(name, loader, made, record=record, is_asked_for=name in self._unread)

    def _make(self, name: str, path: str, query: str, record: _native.GraphModule) -> _native.JsModule:
        if record.loader == "napi":
            return self._of_addon(name, path)
        if record.transformed is None:
            return self._of_value(name, data_value(self._worker, path, record.loader, record.data))
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
            loaded = self._worker.entry.invoke("loadForImport", name, transformed.commonjs_exports)
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

    def _of_data_url(self, url: str) -> _native.JsModule:
        kind, text = read_data_url(url)
        if kind == "application/json" or kind.endswith("+json"):
            return self._of_value(url, parse_json(self._worker, text, url))
        if "javascript" not in kind and "typescript" not in kind:
            return self._of_value(url, text)
        loader = "ts" if "typescript" in kind else "js"
        transformed = _native.transform(text, url, self.files.transform_options, loader=loader, package_type="module")
        return self._compile(runnable(transformed, url), url, url, "")

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
        self,
        importer: _native.JsModule,
        specifier: str,
        attributes: dict[str, str],
        target: _native.Resolution | None,
    ) -> _native.JsModule:
        """Return what `specifier` in `importer` means, which leads to `target` if that is known."""
        path, _ = self.place_of(importer.name)
        if self._hooked is not None:
            return self._hooked.target(specifier, path, attributes)
        if specifier.startswith("data:"):
            return self.data_url(specifier)
        if target is None or target.failure is not None or self.files.installs_first:
            target = self.files.resolve(specifier, path)
        child = self._of_resolution(specifier, path, attributes, target)
        if child.name in self._unread:
            self._read(child, importer.name, specifier)
        if self._importers is not None:
            self._importers.setdefault(child.name.partition("?")[0], set()).add(path)
        return child

    def _read(self, child: _native.JsModule, importer: str, specifier: str) -> None:
        """Read the exports of CommonJS that `importer` asks for and nobody has before."""
        left, view, exports = self._unread[child.name]
        text = self._worker.sources.texts.get(importer)
        asked = {name for source, name in text.asked_for if source == specifier} if text else {"*"}
        wanted = [name for name in left if name in asked or "*" in asked]
        left[:] = [name for name in left if name not in wanted]
        self._worker.entry.invoke("readForImport", exports, view, wanted)
        if child.status == "evaluated":
            for name in wanted:
                child.set_export(name, view[name])

    def _of_resolution(
        self, specifier: str, importer: str, attributes: dict[str, str], target: _native.Resolution
    ) -> _native.JsModule:
        if target.builtin is not None:
            return self.builtin(target.builtin)
        if target.path is None:
            raise import_not_found(specifier, importer, target, self.files.missing_note(specifier))
        return self._module(target.path, target.query, _loader_of(attributes))


def _loader_of(attributes: dict[str, str] | None) -> str | None:
    """The loader that import attributes ask for; words that are none ask for nothing."""
    kind = attributes.get("type") if attributes else None
    return kind if kind in _LOADERS else None
