"""What `js/commonjs.js` asks of the host: where a specifier leads, what a file holds, a compiled wrapper."""

from __future__ import annotations

import os

from ...environment import ancestors
from ..data_modules import data_value, parse_toml
from ..module_files import runnable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker

PARAMETERS = ("exports", "require", "module", "__filename", "__dirname")
IMPORT_META = "__rt_import_meta"  # what the transpiler makes of `import.meta` in CommonJS


def operations(worker: EngineWorker) -> dict[str, Any]:
    files = worker.files

    def resolve(specifier: str, importer: str, require: bool) -> list[str]:
        found = files.resolve(specifier, importer, require=require)
        if found.builtin is not None:
            return ["builtin", found.builtin, ""]
        if found.failure is not None or found.path is None:
            return ["failure", found.failure or "module-not-found", ""]
        return ["file", found.path, found.query]

    def load_commonjs(name: str) -> list[Any]:
        path = name if os.path.exists(name) else name.partition("?")[0]
        if path.endswith(".node"):
            return ["addon", path]
        record = files.record(path, as_script=True)
        if record.transformed is None:
            return ["value", data_value(worker, path, record.loader, record.data)]
        transformed = runnable(record.transformed, path)
        if transformed.kind != "commonjs":
            return ["esm"]
        worker.sources.add(path, transformed)
        if transformed.has_import_meta:
            return ["function with import.meta", compiled(transformed.code, path, (*PARAMETERS, IMPORT_META))]
        if path in worker.wrappers:
            return ["function", worker.wrappers.pop(path)]
        return ["function", compiled(transformed.code, path)]

    def compiled(code: str, path: str, parameters: tuple[str, ...] = PARAMETERS) -> Any:
        return worker.compiled(lambda: worker.engine.compile_function(code, parameters, path))

    def require_esm(name: str) -> Any:
        path = name if os.path.exists(name) else name.partition("?")[0]
        return worker.evaluate_now(worker.modules.instantiated(path, name[len(path) :]))

    def paths_for(folder: str) -> list[str]:
        return [os.path.join(each, "node_modules") for each in ancestors(folder)]

    return {
        "resolve": resolve,
        "loadCommonJs": load_commonjs,
        "requireEsm": require_esm,
        "compileWrapper": compiled,
        "pathsFor": paths_for,
        "parseToml": lambda text: parse_toml(text, "TOML"),
    }
