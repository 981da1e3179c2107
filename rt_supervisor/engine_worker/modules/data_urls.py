"""Modules of `data:` and `blob:` URLs: what each media type is to those who import it."""

from __future__ import annotations

from ... import _native
from ..program.problems import ModuleNotFound
from .data import parse_json, read_data_url
from .files import runnable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..program.worker import EngineWorker
    from .loader import ModuleLoader


def made_of(worker: EngineWorker, loader: ModuleLoader, url: str) -> _native.JsModule:
    """Return the module of a `data:` or `blob:` URL, to be linked. Raises ModuleNotFound, SourceError."""
    is_blob = url.startswith("blob:")
    kind, data = _read_blob(worker, url) if is_blob else read_data_url(url)
    if kind == "application/wasm":
        loader.wasm.add(url, data)
        return loader.of_value(url, url)
    text = data.decode("utf-8", "replace")
    if kind == "application/json" or kind.endswith("+json"):
        return loader.of_value(url, parse_json(worker, text, url))
    if not is_blob and "javascript" not in kind and "typescript" not in kind:
        return loader.of_value(url, text)
    # A blob is a script whatever its type, as in the peer, which reads types in all of them.
    script = "tsx" if is_blob else "ts" if "typescript" in kind else "js"
    options = loader.files.transform_options
    transformed = _native.transform(text, url, options, loader=script, package_type="module")
    return loader.compile_text(runnable(transformed, url), url)


def _read_blob(worker: EngineWorker, url: str) -> tuple[str, bytes]:
    """Return (media type, content) of the Blob that `url` stands for. Raises ModuleNotFound where it stands for none."""
    found = worker.entry.invoke("blobBehind", url)
    kind, *content = found.to_list()
    if not content:
        message = f"Cannot find module '{url}'"
        raise ModuleNotFound("ERR_MODULE_NOT_FOUND", message, message)
    return kind.partition(";")[0].strip(), bytes(content[0])
