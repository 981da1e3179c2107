"""WebAssembly files as ES modules: instances whose imports are other modules, and the compiled module for `import
source`.

An import of only the default export gets the file's path, as in Bun, and nothing is compiled. Any other import gets an
instance, as in Node: a separate module whose source lists the file's imports and exports. If one of those imports does
not resolve, and no export is imported by name, the import gets the path: such files are instantiated by the program.
A program that sees Node only always gets an instance. The JavaScript part is `js/node/module/wasm.js`.
"""

from __future__ import annotations

import json

from ... import _native
from ..program.problems import Thrown
from .data import INLINE, read, read_data_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..program.provider import ProgramProvider
    from .provider import ModuleProvider

INSTANCE = "instance"  # used instead of a loader in the table of modules


class WasmModules:
    """The WebAssembly files that a program's modules have imported, by module name."""

    def __init__(self, provider: ProgramProvider, modules: ModuleProvider) -> None:
        self._provider = provider
        self._modules = modules
        self._loader = modules.native
        self._bytes: dict[str, bytes] = {}

    def add(self, name: str, data: bytes | None) -> None:
        """Register `name` as the module of a WebAssembly file with the contents `data`."""
        self._bytes[name] = _read(name) if data is None else data
        self._loader.add_wasm(name)

    def has(self, name: str) -> bool:
        return name in self._bytes

    def instance(self, name: str, names: set[str]) -> _native.JsModule | None:
        """Return the instance for an import of the exports `names`; None if the import gets the file's path."""
        if self._modules.files.is_node:
            return self._make(name)
        if names == {"default"}:
            return None
        return self._make(name, may_be_path=not names - {"default", "*"})

    def _make(self, name: str, *, may_be_path: bool = False) -> _native.JsModule | None:
        known = self._loader.get(name, INSTANCE)
        if known is not None:
            return known
        imports, exports = self._ask("compile", name, self._bytes[name])
        if may_be_path and not all(self._is_there(each, name) for each in imports):
            return None
        transformed = _native.transform(
            _text(imports, exports, None if self._modules.files.is_node else name),
            name,
            self._modules.files.transform_options,
            loader="js",
            package_type="module",
        )
        return self._loader.put(name, INSTANCE, self._loader.compile_text(transformed, name))

    def main(self, name: str) -> _native.JsModule | None:
        """Return the instance of the main module; None if the file needs WASI and has already run."""
        self._ask("compile", name, self._bytes[name])
        try:
            if self._provider.entry.invoke("wasm", "runGuest", name):
                return None
        except _native.JsError as error:
            raise Thrown(error.value) from error
        made = self._make(name)
        return made and self._loader.ready(made)

    def source(self, name: str) -> Any:
        """Return the compiled module of `name`, not instantiated. Raises Thrown for a module without one."""
        if name not in self._bytes:
            raise Thrown(self._provider.entry.invoke("wasm", "noSource", name))
        self._ask("compile", name, self._bytes[name])
        return self._provider.entry.invoke("wasm", "source", name)

    def _is_there(self, specifier: str, name: str) -> bool:
        return specifier.startswith(INLINE) or self._modules.files.resolver.resolve(specifier, name).failure is None

    def _ask(self, question: str, *values: Any) -> tuple[list[str], list[str]]:
        try:
            imports, exports = self._provider.entry.invoke("wasm", question, *values).to_list()
        except _native.JsError as error:
            raise Thrown(error.value) from error
        return imports.to_list(), exports.to_list()


def _read(name: str) -> bytes:
    return read_data_url(name)[1] if name.startswith("data:") else read(name.partition("?")[0])


def _text(imports: list[str], exports: list[str], default: str | None) -> str:
    """Return the module's source text with the default export `default`, unless the file has one. Names are data, so they are
    written as JSON."""
    lines = [f"import * as $import{index} from {json.dumps(each)};" for index, each in enumerate(imports)]
    given = ", ".join(f"[{json.dumps(each)}, $import{index}]" for index, each in enumerate(imports))
    locals_ = [f"$export{index}" for index in range(len(exports))]
    lines.append(f"const [{', '.join(locals_)}] = import.meta.__wasm([{given}]);")
    lines += [f"export {{ {local} as {json.dumps(each)} }};" for local, each in zip(locals_, exports, strict=True)]
    if default is not None and "default" not in exports:
        lines.append(f"export default {json.dumps(default)};")
    return "\n".join(lines)
