"""ES modules: from an entry to a linked graph of V8 modules, with CommonJS, JSON, TOML, text and built-ins as leaves.

`_native.load_graph` reads, transforms and resolves whole graphs in parallel; this turns its records into modules and
links them, dependencies first. CommonJS runs while it is linked, because its names are known only after it ran.
"""

from __future__ import annotations

import os

from .. import _native
from .problems import ModuleNotFound, SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from .worker import EngineWorker

    Key: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
    Targets: TypeAlias = dict[Key, _native.Resolution]

COMMONJS_NAMES = ("require", "module", "exports", "__filename", "__dirname")
_SCRIPTS = ("js", "jsx", "ts", "tsx")


class ModuleLoader:
    """All modules of one program, each once for its name (path, query) and the loader it was asked for with."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker
        options = worker.options
        self.builtins: set[str] = set()
        self.resolver = _native.Resolver(
            builtins=worker.builtin_names(),
            conditions=list(options.conditions) or None,
            main_fields=list(options.main_fields) or None,
            extensions=list(options.extensions) or None,
            preserve_symlinks=options.preserve_symlinks,
            tsconfig_override=options.tsconfig,
            addons=not options.no_addons,
        )
        self.transform_options = _native.TransformOptions(
            loaders=dict(options.loaders) or None,
            define=list(options.define) or None,
            drop=list(options.drop) or None,
            jsx_runtime=options.jsx_runtime,  # type: ignore[arg-type]
            jsx_factory=options.jsx_factory,
            jsx_fragment=options.jsx_fragment,
            jsx_import_source=options.jsx_import_source,
            jsx_side_effects=options.jsx_side_effects,
            production=options.environment.get("NODE_ENV") == "production",
            ignore_dce_annotations=options.ignore_dce_annotations,
        )
        self._files: dict[tuple[str, str | None], Any] = {}
        self._modules: dict[tuple[str, str | None], _native.JsModule] = {}
        self._paths: dict[str, tuple[str, str]] = {}  # module name -> path, query
        self._linked: set[str] = set()
        self.main = ""

    # --- files

    def file(self, path: str, loader: str | None = None) -> Any:
        """Return the record of a file, reading it and all it imports. Raises what the file is guilty of."""
        found = (
            self._files.get((path, loader)) or self._files.get((path, None))
            if loader is None
            else self._files.get((path, loader))
        )
        if found is None:
            for record in _native.load_graph([path], self.resolver, self.transform_options):
                self._files.setdefault((record.path, None), record)
            found = self._files[(path, None)]
        if found.failure is not None:
            message = f"Cannot read {path}: {found.failure}"
            raise ModuleNotFound("ERR_MODULE_NOT_FOUND", message, message)
        return found

    def transformed(self, path: str) -> _native.Transformed:
        """Return the runnable form of a script. Raises SourceError."""
        record = self.file(path)
        return self.checked(record.transformed, path)

    def checked(self, transformed: _native.Transformed | None, path: str) -> _native.Transformed:
        """Return `transformed` if it can run. Raises SourceError, or ModuleNotFound for what is no script."""
        if transformed is None:
            raise ModuleNotFound("ERR_UNKNOWN_FILE_EXTENSION", f"{path} is no script", f"{path} is no script")
        if transformed.problems:
            problem = transformed.problems[0]
            raise SourceError(
                {
                    "message": problem.message,
                    "file": problem.path,
                    "line": problem.place.line,
                    "column": problem.place.column,
                    "source": problem.place.text,
                }
            )
        return transformed

    def is_commonjs(self, path: str) -> bool:
        record = self.file(path)
        return record.transformed is not None and record.transformed.kind == "commonjs"

    # --- resolving

    def resolve(self, specifier: str, importer: str, *, require: bool = False) -> _native.Resolution:
        if specifier.startswith("file:"):
            from urllib.parse import unquote, urlsplit

            parts = urlsplit(specifier)
            query = f"?{parts.query}" if parts.query else ""
            return self.resolver.resolve(unquote(parts.path) + query, importer, require=require)
        return self.resolver.resolve(specifier, importer, require=require)

    @staticmethod
    def not_found(specifier: str, importer: str, failure: str) -> ModuleNotFound:
        """Return the error of an import that leads nowhere."""
        if failure == "unknown-builtin":
            return ModuleNotFound(
                "ERR_UNKNOWN_BUILTIN_MODULE",
                f"No such built-in module: {specifier}",
                f"No such built-in module: {specifier}",
            )
        scope_end = specifier.find("/") + 1 if specifier.startswith("@") else 0
        is_bare = not specifier.startswith((".", "/", "#")) and "/" not in specifier[scope_end:]
        what = "package" if failure == "package-not-found" and is_bare else "module"
        return ModuleNotFound(
            "ERR_MODULE_NOT_FOUND",
            f"Cannot find {what} '{specifier}' imported from {importer}",
            f"Cannot find {what} '{specifier}' from '{importer}'",
        )

    # --- modules

    def instantiated(self, path: str, query: str = "", attributes: dict[str, str] | None = None) -> _native.JsModule:
        """Return the module of a file, linked with all it imports and ready to be evaluated."""
        module = self._module(path, query, _type_of(attributes))
        self._link(module)
        if module.status == "unlinked":
            module.instantiate()
        return module

    def from_code(self, transformed: _native.Transformed, path: str) -> _native.JsModule:
        """Return the linked module of evaluated code."""
        module = self._compile(transformed, path, path, "")
        self._modules[(path, None)] = module
        targets = {}
        for request in transformed.requests:
            if request.kind in ("import", "export"):
                targets[_request_key(request)] = self.resolve(request.specifier, path)
        self._link(module, targets)
        module.instantiate()
        return module

    def builtin(self, name: str) -> _native.JsModule:
        key = (f"node:{name}", None)
        if key not in self._modules:
            names, view = self._worker.entry.invoke("builtin", name).to_list()
            self._modules[key] = self._worker.engine.synthetic_module(f"node:{name}", names.to_list(), source=view)
            self._linked.add(f"node:{name}")
        return self._modules[key]

    def data_url(self, specifier: str) -> _native.JsModule:
        """Return the module of a `data:` URL with JavaScript, TypeScript or JSON."""
        key = (specifier, None)
        if key not in self._modules:
            from base64 import b64decode
            from urllib.parse import unquote_to_bytes

            head, _, body = specifier[5:].partition(",")
            data = unquote_to_bytes(body)
            if head.endswith(";base64"):
                data = b64decode(data)
            text = data.decode("utf-8", "replace")
            kind = head.partition(";")[0]
            if kind == "application/json":
                self._modules[key] = self._synthetic(specifier, self._worker.entry.invoke("parseJson", text, specifier))
            else:
                loader = "ts" if "typescript" in kind else "js"
                transformed = _native.transform(text, specifier, self.transform_options, loader=loader)
                self._modules[key] = self._compile(self.checked(transformed, specifier), specifier, specifier, "")
                self._paths[specifier] = (specifier, "")
        return self._modules[key]

    def place_of(self, name: str) -> tuple[str, str]:
        """Return (path, query) of the module that stack frames call `name`."""
        return self._paths.get(name, (name, ""))

    def _module(self, path: str, query: str, kind: str | None) -> _native.JsModule:
        key = (path + query, kind)
        module = self._modules.get(key)
        if module is None:
            module = self._modules[key] = self._make(path, query, kind)
        return module

    def _make(self, path: str, query: str, kind: str | None) -> _native.JsModule:
        name = path + query
        if kind is not None and kind not in _SCRIPTS:
            return self._data_module(name, path, kind, None)
        record = self.file(path)
        if record.transformed is None:
            return self._data_module(name, path, record.loader, record.data)
        transformed = self.checked(record.transformed, path)
        if transformed.kind == "commonjs":
            names, view = self._worker.entry.invoke("loadForImport", name).to_list()
            self._linked.add(name)
            return self._worker.engine.synthetic_module(name, names.to_list(), source=view)
        return self._compile(transformed, path, name, query)

    def _compile(self, transformed: _native.Transformed, path: str, name: str, query: str) -> _native.JsModule:
        engine, sources = self._worker.engine, self._worker.sources
        self._paths[name] = (path, query)
        wanted = [each for each in COMMONJS_NAMES if each in transformed.names]
        if wanted:
            # ES modules may use CommonJS's variables unless they declare their own.
            head = f"const {{{','.join(wanted)}}} = import.meta.__commonjs; "
            try:
                module = engine.compile_module(head + transformed.code, name)
                sources.add(name, transformed, shifted_by=len(head))
                return module
            except _native.JsError:
                pass
        sources.add(name, transformed)
        return engine.compile_module(transformed.code, name)

    def _data_module(self, name: str, path: str, kind: str, data: bytes | None) -> _native.JsModule:
        if data is None:
            try:
                with open(path, "rb") as file:
                    data = file.read()
            except OSError as error:
                message = f"Cannot read {path}: {error.strerror}"
                raise ModuleNotFound("ERR_MODULE_NOT_FOUND", message, message) from error
        self._linked.add(name)
        if kind == "file":
            return self._synthetic(name, path)
        text = data.decode("utf-8-sig", "replace")
        if kind in ("json", "jsonc"):
            return self._synthetic(name, self._worker.entry.invoke("parseJson", text, path))
        if kind == "toml":
            return self._synthetic(name, parse_toml(text, path))
        return self._synthetic(name, text)

    def _synthetic(self, name: str, value: Any) -> _native.JsModule:
        names, view = self._worker.entry.invoke("importView", value).to_list()
        self._linked.add(name)
        return self._worker.engine.synthetic_module(name, names.to_list(), source=view)

    def _link(self, root: _native.JsModule, targets: Targets | None = None) -> None:
        """Link `root` and all below it, dependencies first."""
        stack: list[tuple[_native.JsModule, Iterator[_native.JsModuleRequest], list[_native.JsModule], Targets]] = []
        self._enter(root, targets, stack)
        while stack:
            module, requests, modules, known = stack[-1]
            for request in requests:
                child = self._target(module.name, request, known)
                modules.append(child)
                if child.name not in self._linked:
                    self._enter(child, None, stack)
                    break
            else:
                stack.pop()
                if modules:
                    module.link(modules)

    def _enter(self, module: _native.JsModule, targets: Any, stack: list[Any]) -> None:
        if module.name in self._linked or module.status != "unlinked":
            return
        self._linked.add(module.name)
        if targets is None:
            path, _ = self.place_of(module.name)
            record = self._files.get((path, None))
            targets = {}
            if record is not None and record.transformed is not None:
                for request, resolution in zip(record.transformed.requests, record.targets, strict=True):
                    if request.kind in ("import", "export"):
                        targets[_request_key(request)] = resolution
        stack.append((module, iter(module.requests), [], targets))

    def _target(self, importer: str, request: Any, targets: Targets) -> _native.JsModule:
        specifier = request.specifier
        if specifier.startswith("data:"):
            return self.data_url(specifier)
        path, _ = self.place_of(importer)
        resolution = targets.get(_request_key(request)) or self.resolve(specifier, path)
        if resolution.failure is not None and specifier.startswith("file:"):
            resolution = self.resolve(specifier, path)
        if resolution.builtin is not None:
            return self.builtin(resolution.builtin)
        if resolution.failure is not None or resolution.path is None:
            raise self.not_found(specifier, path, resolution.failure or "")
        return self._module(resolution.path, resolution.query, _type_of(request.attributes))


def _request_key(request: Any) -> tuple[str, tuple[tuple[str, str], ...]]:
    return request.specifier, tuple(sorted(request.attributes.items()))


def _type_of(attributes: dict[str, str] | None) -> str | None:
    """The loader that import attributes ask for."""
    kind = (attributes or {}).get("type")
    return None if kind in (None, "macro", "javascript") else kind


def parse_toml(text: str, path: str) -> Any:
    """Return a TOML document as plain data. Raises SourceError."""
    import tomllib

    try:
        return _plain(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        words = str(error)
        line = int(words.rpartition("line ")[2].partition(",")[0]) if "line " in words else text.count("\n") + 1
        lines = text.split("\n")
        raise SourceError(
            {"message": words, "file": path, "line": line, "column": 1, "source": lines[min(line, len(lines)) - 1]}
        ) from error


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def folder_of(path: str) -> str:
    return os.path.dirname(path)
