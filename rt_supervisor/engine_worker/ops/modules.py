"""What `js/commonjs.js` asks of the host: where a specifier leads, what a file holds, a compiled wrapper."""

from __future__ import annotations

import os

from ...environment import ancestors
from ..modules import parse_toml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker

PARAMETERS = ("exports", "require", "module", "__filename", "__dirname")


def operations(worker: EngineWorker) -> dict[str, Any]:
    loader = worker.modules

    def resolve(specifier: str, importer: str, require: bool) -> list[str]:
        found = loader.resolve(specifier, importer, require=require)
        if found.builtin is not None:
            return ["builtin", found.builtin, ""]
        if found.failure is not None or found.path is None:
            return ["failure", found.failure or "module-not-found", ""]
        return ["file", found.path, found.query]

    def load_commonjs(name: str) -> list[Any]:
        path = name if os.path.exists(name) else name.partition("?")[0]
        if path.endswith(".node"):
            return ["addon", path]
        record = loader.file(path)
        if record.transformed is None:
            text = (record.data or b"").decode("utf-8-sig", "replace")
            if record.loader in ("json", "jsonc"):
                return ["json", text]
            if record.loader == "toml":
                return ["value", parse_toml(text, path)]
            return ["value", path if record.loader == "file" else text]
        transformed = loader.checked(record.transformed, path)
        if transformed.kind != "commonjs":
            return ["esm", None]
        worker.sources.add(path, transformed)
        return ["function", worker.engine.compile_function(transformed.code, PARAMETERS, path)]

    def require_esm(name: str) -> Any:
        path = name if os.path.exists(name) else name.partition("?")[0]
        return worker.evaluate_now(loader.instantiated(path, name[len(path) :]))

    def compile_wrapper(code: str, filename: str) -> Any:
        return worker.engine.compile_function(code, PARAMETERS, filename)

    def paths_for(folder: str) -> list[str]:
        return [os.path.join(each, "node_modules") for each in ancestors(folder)]

    return {
        "resolve": resolve,
        "loadCommonJs": load_commonjs,
        "requireEsm": require_esm,
        "compileWrapper": compile_wrapper,
        "pathsFor": paths_for,
        "parseToml": lambda text: parse_toml(text, "TOML"),
    }
