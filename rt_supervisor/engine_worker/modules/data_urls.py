"""Modules of `data:` URLs: what each media type is to those who import it."""

from __future__ import annotations

from ... import _native
from .data import parse_json, read_data_url
from .files import runnable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..program.worker import EngineWorker
    from .loader import ModuleLoader


def made_of(worker: EngineWorker, loader: ModuleLoader, url: str) -> _native.JsModule:
    """Return the module of a `data:` URL, to be linked. Raises ModuleNotFound, SourceError."""
    kind, data = read_data_url(url)
    if kind == "application/wasm":
        loader.wasm.add(url, data)
        return loader.of_value(url, url)
    text = data.decode("utf-8", "replace")
    if kind == "application/json" or kind.endswith("+json"):
        return loader.of_value(url, parse_json(worker, text, url))
    if "javascript" not in kind and "typescript" not in kind:
        return loader.of_value(url, text)
    script = "ts" if "typescript" in kind else "js"
    options = loader.files.transform_options
    transformed = _native.transform(text, url, options, loader=script, package_type="module")
    return loader.compile_text(runnable(transformed, url), url)
