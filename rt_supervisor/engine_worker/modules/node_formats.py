"""What Node refuses to import although its file exists: unknown formats, and attributes that do not fit.

The native loader calls this module for programs that see Node only, for every import that has attributes or does not name a
script.
"""

from __future__ import annotations

import os

from ..program.problems import ModuleNotFound
from .node_resolution import file_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

_FORMATS = {".json": "json", ".wasm": "wasm", ".node": "addon"}
_MEDIA_TYPES = {"application/json": "json", "application/wasm": "wasm", "text/javascript": "module"}
# Scripts that Node does not know and rt runs.
_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx")


def check_import(name: str, attributes: Sequence[tuple[str, str]]) -> None:
    """Check an import of `name`, a path or a `data:` URL. Raises ModuleNotFound."""
    is_url = not name.startswith("/")
    url = name if is_url else file_url(name)
    for key, value in attributes:
        if key != "type":
            _fail_attribute(key, value, url)
    kind = dict(attributes).get("type")
    if is_url and not name.startswith("data:"):
        return
    form = _format_of_url(name) if is_url else format_of_file(name)
    if kind not in (None, "json"):
        _fail_attribute("type", kind or "", url)
    if form == "json" and kind is None:
        _fail("ERR_IMPORT_ATTRIBUTE_MISSING", f'Module "{url}" needs an import attribute of "type: json"', "TypeError")
    if form != "json" and kind == "json":
        _fail("ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE", f'Module "{url}" is not of type "json"', "TypeError")


def check_main(path: str, *, is_in_module_package: bool) -> None:
    """Check the main file, which `require` loads unless its package says otherwise. Raises ModuleNotFound."""
    if is_in_module_package:
        format_of_file(path)


def format_of_file(path: str) -> str:
    """Return the format of a file by its extension. Raises ModuleNotFound for one that Node does not know."""
    extension = os.path.splitext(path)[1]
    if extension == "" or extension in _SCRIPTS:
        return "module"
    form = _FORMATS.get(extension)
    if form is None:
        _fail("ERR_UNKNOWN_FILE_EXTENSION", f'Unknown file extension "{extension}" for {path}', "TypeError")
    return form


def _format_of_url(url: str) -> str:
    head = url.removeprefix("data:").partition(",")[0]
    media_type = head.partition(";")[0].strip()
    form = _MEDIA_TYPES.get(media_type)
    if form is None:
        _fail("ERR_UNKNOWN_MODULE_FORMAT", f"Unknown module format: {media_type or 'null'} for URL {url}", "RangeError")
    return form


def _fail_attribute(key: str, value: str, url: str) -> NoReturn:
    message = f'Import attribute "{key}" with value "{value}" is not supported in {url}'
    _fail("ERR_IMPORT_ATTRIBUTE_UNSUPPORTED", message, "TypeError")


def _fail(code: str, message: str, kind: str) -> NoReturn:
    raise ModuleNotFound(code, message, message, kind)
