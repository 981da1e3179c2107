"""The error of an import of a name that CommonJS does not export, as Node words it for programs that see Node only."""

from __future__ import annotations

import re

from ... import _native
from ..program.problems import ModuleNotFound, SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .provider import ModuleProvider

_MESSAGE = re.compile(r"The requested module '(.*)' does not provide an export named '(.+)'$", re.DOTALL)
_NAMES = re.compile(r"\{.*\}")


def explain(provider: ModuleProvider, error: _native.JsError, file: str, source: str) -> None:
    """Change the message of `error`, which the engine raised at the line `source` of `file`, if the name is one of CommonJS."""
    match = _MESSAGE.search(str(error))
    if match is None or not isinstance(error.value, _native.JsObject):
        return
    specifier, name = match.groups()
    found = provider.files.resolve(specifier, file)
    try:
        script = None if found.path is None else provider.native.script(found.path, as_script=False)
    except (ModuleNotFound, SourceError):
        return
    if script is None or script.kind != "commonjs":
        return
    names = _NAMES.search(source)
    example = "" if names is None else "const " + re.sub(r"\s+as\s+", ": ", names[0]) + " = pkg;\n"
    error.value.set(
        "message",
        f"Named export '{name}' not found. The requested module '{specifier}' is a CommonJS module, which may not support all"
        " module.exports as named exports.\nCommonJS modules can always be imported via the default export, for example using:"
        f"\n\nimport pkg from '{specifier}';\n{example}",
    )
