"""ES modules while a program has module hooks, which each import calls to resolve and load.

The hooks run in JavaScript (`js/node/module/hooks.js`). The native loader creates the modules that they do not change;
source text that they supply becomes a module named by the URL's path, or by the URL if it is not a file URL.
"""

from __future__ import annotations

from ... import _native
from ..program.problems import Thrown
from .data import INLINE, parse_json
from .files import runnable
from .provider import SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..program.provider import ProgramProvider
    from .provider import ModuleProvider


class HookedModules:
    """The modules whose source hooks supplied, by name."""

    def __init__(self, provider: ProgramProvider, modules: ModuleProvider) -> None:
        self._provider = provider
        self._module_provider = modules
        self._loader = modules.native
        self._by_name: dict[str, _native.JsModule] = {}

    def has(self, name: str) -> bool:
        return name in self._by_name

    def paths(self) -> list[str]:
        """Return the paths of the modules, or the URLs of those that are not of files."""
        return [_path_of(name) for name in self._by_name]

    def take_out(self, paths: set[str]) -> dict[str, _native.JsModule]:
        """Forget the modules of `paths`, so that the hooks are called again; return what `put_back` takes."""
        names = [name for name in self._by_name if _path_of(name) in paths]
        return {name: self._by_name.pop(name) for name in names}

    def put_back(self, modules: dict[str, _native.JsModule]) -> None:
        """Restore the modules that `take_out` took."""
        self._by_name.update(modules)

    def target(self, specifier: str, importer: str, attributes: dict[str, str]) -> _native.JsModule:
        """Return the target of `specifier` in `importer`. Raises Thrown for an exception of a hook."""
        shown = {key: value for key, value in attributes.items() if value != SOURCE}
        url, format_, path, given = self._ask("resolveImported", specifier, importer, shown).to_list()
        if path in self._by_name:
            return self._by_name[path]
        if given is not None:  # attributes that a hook set
            attributes = {key: str(given.get(key)) for key in given.keys()}  # noqa: SIM118 (no dict)
        known = self._loader.known(path, attributes)
        if known is not None:
            return known
        kind, text = self._ask("loadImported", url, format_, shown if given is None else given).to_list()
        if kind == "builtin":
            return self._loader.builtin(url.removeprefix("node:"))
        if kind == "usual":
            if path.startswith(INLINE):
                return self._module_provider.data_url(0, path)
            file, mark, query = path.partition("?")
            if self._module_provider.files.is_node:
                described = shown if given is None else attributes
                self._module_provider.check_for_node(file, list(described.items()))
            return self._loader.of_path(file, mark + query, attributes)
        module = self._by_name[path] = self._make(path, kind, text)
        return module

    def from_text(self, name: str, text: str, script: str) -> _native.JsModule:
        """Return the ES module of source text that hooks supplied to `require` for `name`."""
        if name not in self._by_name:
            self._by_name[name] = self._make(name, "module" if script == "js" else "module-typescript", text)
        return self._by_name[name]

    def _make(self, name: str, kind: str, text: str) -> _native.JsModule:
        if kind == "wasm":
            from base64 import b64decode

            self._module_provider.wasm.add(name, b64decode(text))
            return self._module_provider.of_value(name, name)
        if kind == "json":
            return self._module_provider.of_value(name, parse_json(self._provider, text, name))
        script = "ts" if kind.endswith("typescript") else "js"
        if kind.startswith("commonjs"):
            names, view, *_ = self._ask("importedCommonJs", name, text, script).to_list()
            return self._module_provider.of_names(name, names, view)
        options = self._module_provider.files.transform_options
        transformed = _native.transform(text, name, options, loader=script, package_type="module")
        return self._loader.compile_text(runnable(transformed, name), name)

    def _ask(self, question: str, *values: Any) -> Any:
        try:
            return self._provider.entry.invoke("moduleHooks", question, *values)
        except _native.JsError as error:
            raise Thrown(error.value) from error


def _path_of(name: str) -> str:
    """Return the path of a module's name, without its query."""
    return name.partition("?")[0]
