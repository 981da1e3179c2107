"""Errors of specifiers that do not resolve: Node's code and message if the specifier or a package's target is invalid.

A module that merely does not exist, or that its package does not export, has Bun's codes. Programs that see Node only get
Node's errors throughout (`node_resolution.py`).
"""

from __future__ import annotations

import re

from ..program.problems import ModuleNotFound
from .node_resolution import ENCODED_SEPARATOR, explain, file_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ... import _native

_TARGET = re.compile(r'^Invalid "exports" target (".*") defined for ', re.DOTALL)
_URL = re.compile(r"^[a-zA-Z][a-zA-Z\d+.-]*:")
_BUILTIN_SCHEMES = ("bun:", "rt:")
_SCHEME = re.compile(r"^(?!file:|node:|data:)([a-zA-Z][a-zA-Z\d+.-]*:)")


def import_not_found(
    specifier: str,
    importer: str,
    found: _native.Resolution,
    note: str = "",
    node_conditions: Sequence[str] | None = None,
) -> ModuleNotFound:
    """Return the error of an import that does not resolve, with `note` appended.

    `node_conditions` are the further conditions of a program that sees Node only and gets Node's errors.
    """
    failure = found.failure
    if failure == "unknown-builtin":
        text = f"No such built-in module: {specifier}"
        return ModuleNotFound("ERR_UNKNOWN_BUILTIN_MODULE", text, text)
    what = "package" if failure == "package-not-found" and _is_package_name(specifier) else "module"
    text = f"Cannot find {what} '{specifier}' from '{importer}'" + (f"\n\nnote: {note}" if note else "")
    wrong = _target(specifier, importer, found) or _form(
        specifier, importer, failure, is_node=node_conditions is not None
    )
    is_explained = wrong is None or (not _SCHEME.match(specifier) and not importer.startswith("data:"))
    if node_conditions is not None and is_explained:
        problem = explain(specifier, importer, node_conditions)
        if problem is not None:
            return problem
    if wrong is not None:
        code, message, kind = wrong
        properties = None
        if code == "ERR_INVALID_FILE_URL_HOST" and node_conditions is not None:
            properties = {"input": specifier, "module": file_url(importer)}
        return ModuleNotFound(code, message, text, kind, properties)
    is_file = specifier.startswith((".", "/", "#", "file:")) or specifier == ""
    missing = f"module '{specifier}'" if is_file else f"package '{_package_of(specifier)}'"
    return ModuleNotFound("ERR_MODULE_NOT_FOUND", f"Cannot find {missing} imported from {importer}", text)


def require_not_found(
    specifier: str, importer: str, found: _native.Resolution, node_conditions: Sequence[str] | None = None
) -> ModuleNotFound | None:
    """Return the error of require() if the package is invalid; None if the module merely does not exist.

    `node_conditions` are as for `import_not_found`.
    """
    if node_conditions is not None:
        return explain(specifier, importer, node_conditions, require=True)
    from_file = importer if specifier.startswith("#") else ""
    wrong = _target(specifier, from_file, found)
    if wrong is None and specifier == "#":
        wrong = _form(specifier, importer, found.failure, is_node=False)
    if wrong is None:
        return None
    code, message, kind = wrong
    return ModuleNotFound(code, message, f"Cannot find module '{specifier}' from '{importer}'", kind)


Wrong = tuple[str, str, str]  # code, message, class


def _target(specifier: str, importer: str, found: _native.Resolution) -> Wrong | None:
    """Return the problem of a target in a package's exports or imports."""
    target = _TARGET.match(found.detail) if found.failure == "invalid-package-target" else None
    if target is None:
        return None
    field = "imports" if specifier.startswith("#") else "exports"
    after = f" imported from {importer}" if importer else ""
    if not target[1].startswith('"./'):
        after += '; targets must start with "./"'
    return "ERR_INVALID_PACKAGE_TARGET", found.detail.replace('"exports"', f'"{field}"', 1) + after, "Error"


def _form(specifier: str, importer: str, failure: str | None, *, is_node: bool) -> Wrong | None:
    """Return the problem of the specifier's syntax."""
    is_relative = specifier.startswith((".", "/"))
    if importer.startswith("data:") and (is_relative or (is_node and not _URL.match(specifier))):
        message = f'Failed to resolve module specifier "{specifier}" from "{importer}": Invalid relative URL or base scheme is not hierarchical.'
        return "ERR_UNSUPPORTED_RESOLVE_REQUEST", message, "TypeError"
    if specifier.startswith("file:"):
        if failure == "invalid-specifier" and specifier.startswith("file://"):
            return "ERR_INVALID_FILE_URL_HOST", 'File URL host must be "localhost" or empty on linux', "TypeError"
        return None
    scheme = _SCHEME.match(specifier)
    if scheme is not None and (is_node or scheme[1] not in _BUILTIN_SCHEMES):
        known = "file and data" if scheme[1].lower() in ("http:", "https:") else "file, data, and node"
        message = f"Only URLs with a scheme in: {known} are supported by the default ESM loader."
        return "ERR_UNSUPPORTED_ESM_URL_SCHEME", f"{message} Received protocol '{scheme[1].lower()}'", "Error"
    why = None
    if specifier == "#":
        why = "is not a valid internal imports specifier name"
    elif is_relative and ENCODED_SEPARATOR.search(specifier):
        why = 'must not include encoded "/" or "\\" characters'
    elif not is_relative and not specifier.startswith("#") and _is_invalid_name(specifier):
        why = "is not a valid package name"
    if why is None:
        return None
    return "ERR_INVALID_MODULE_SPECIFIER", f'Invalid module "{specifier}" {why} imported from {importer}', "TypeError"


def _is_invalid_name(specifier: str) -> bool:
    scope, slash, rest = specifier.partition("/") if specifier.startswith("@") else ("", "/", specifier)
    name = f"{scope}{slash}{rest.partition('/')[0]}"
    return specifier != "" and (not slash or "\\" in name or "%" in name)


def _package_of(specifier: str) -> str:
    """Return the name of the package in a specifier that names one, or a file in it."""
    return "/".join(specifier.split("/")[: 2 if specifier.startswith("@") else 1])


def _is_package_name(specifier: str) -> bool:
    """Return whether a specifier names a package without a path inside it."""
    scope_end = specifier.find("/") + 1 if specifier.startswith("@") else 0
    return not specifier.startswith((".", "/", "#")) and "/" not in specifier[scope_end:]
