"""Modules of `data:` and `blob:` URLs, by media type."""

from __future__ import annotations

from ... import _native
from ..program.problems import ModuleNotFound
from .data import parse_json, read_data_url
from .files import runnable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..program.provider import ProgramProvider
    from .provider import ModuleProvider


def create_module(provider: ProgramProvider, modules: ModuleProvider, url: str) -> _native.JsModule:
    """Return the module of a `data:` or `blob:` URL, to be linked. Raises ModuleNotFound, SourceError."""
    is_blob = url.startswith("blob:")
    kind, data = _read_blob(provider, url) if is_blob else read_data_url(url)
    if kind == "application/wasm":
        modules.wasm.add(url, data)
        return modules.of_value(url, url)
    text = data.decode("utf-8", "replace")
    if kind == "application/json" or kind.endswith("+json"):
        value = parse_json(provider, text, url)
        if not modules.files.is_node:
            return modules.of_value(url, value)
        names, view = provider.entry.invoke("defaultView", value).to_list()
        return modules.of_names(url, names, view)
    if not is_blob and "javascript" not in kind and "typescript" not in kind:
        return modules.of_value(url, text)
    # A blob is a script whatever its media type, and may contain types, as in Bun.
    script = "tsx" if is_blob else "ts" if "typescript" in kind else "js"
    options = modules.files.transform_options
    transformed = _native.transform(text, url, options, loader=script, package_type="module")
    return modules.native.compile_text(runnable(transformed, url), url)


def _read_blob(provider: ProgramProvider, url: str) -> tuple[str, bytes]:
    """Return (media type, content) of the Blob of `url`. Raises ModuleNotFound for a revoked URL."""
    found = provider.entry.invoke("blobBehind", url)
    kind, *content = found.to_list()
    if not content:
        message = f"Cannot find module '{url}'"
        raise ModuleNotFound("ERR_MODULE_NOT_FOUND", message, message)
    return kind.partition(";")[0].strip(), bytes(content[0])
