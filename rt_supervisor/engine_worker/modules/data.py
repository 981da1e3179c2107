"""Files and `data:` URLs that are not scripts: JSON, JSONC, JSON5, TOML, YAML and text as default exports.

Values are plain data for the engine, except JSON, which the engine parses itself.
"""

from __future__ import annotations

import os

from ... import _native
from ..program.problems import AccessDenied, ModuleNotFound, SourceError, source_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..program.provider import ProgramProvider

INLINE = ("data:", "blob:")  # URLs whose content is not in a file
UNSUPPORTED = {"html": "HTML"}
# JSON files that usually have comments.
_COMMENTED = ("tsconfig.json", "jsconfig.json", "package.json")


def data_value(provider: ProgramProvider, path: str, loader: str, data: bytes | None) -> Any:
    """Return the value of a file that is imported with `loader`; reads the file unless `data` is given.

    Raises SourceError for malformed data, ModuleNotFound for an unreadable file.
    """
    if loader in ("file", "wasm"):  # a path for WebAssembly.instantiate, as in Bun
        return path
    if loader == "sqlite":
        return provider.entry.invoke("openDatabase", path)
    if loader in UNSUPPORTED:
        message = f"{UNSUPPORTED[loader]} imports are not available in this version of rt: {path}"
        raise ModuleNotFound("ERR_UNKNOWN_FILE_EXTENSION", message, message)
    if loader == "css":
        return {}
    if data is None:
        data = read(path)
    if loader in ("base64", "dataurl"):
        return encoded(path, loader, data)
    text = _native.decode_source(data)
    if loader == "md":
        from ...markdown.page import to_html

        return to_html(text, {})
    if loader in ("jsonc", "json5") or (loader == "json" and os.path.basename(path) in _COMMENTED):
        return parse_commented_json(text, path, is_json5=loader == "json5")
    if loader == "json":
        return parse_json(provider, text, path)
    if loader == "toml":
        return parse_toml(text, path)
    if loader == "xml":
        return read_xml(provider, text, path)
    if loader == "yaml":
        return provider.entry.invoke("buildYaml", read_yaml(text, path))
    return text


def read(path: str) -> bytes:
    """Return the contents of a regular file. Raises ModuleNotFound."""
    if not _native.may_load_module(os.fsencode(path)):
        raise AccessDenied(path)
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise unreadable(path, (error.strerror or "unknown error").lower()) from error


def unreadable(path: str, why: str) -> ModuleNotFound:
    """Return the error of a module whose file exists but cannot be used."""
    message = f"Cannot read {path}: {why}"
    return ModuleNotFound("ERR_MODULE_NOT_FOUND", message, message)


def encoded(path: str, loader: str, data: bytes) -> str:
    """Return a file's contents in base64, as a `data:` URL if `loader` requires one."""
    from base64 import b64encode

    text = b64encode(data).decode("ascii")
    if loader == "base64":
        return text
    from mimetypes import guess_type

    return f"data:{guess_type(path)[0] or 'application/octet-stream'};base64,{text}"


def parse_json(provider: ProgramProvider, text: str, path: str) -> Any:
    """Return a JSON document as the engine's own value. Raises SourceError."""
    try:
        return provider.entry.invoke("parseJson", text)
    except _native.JsError as error:
        line, column = _json_error_place(text)
        if provider.options.identity == "node":
            message = f"{path}: {str(error).removeprefix('SyntaxError: ')}"
            raise SourceError(_detail(message, path, text, line, column)) from error
        words = str(error).removeprefix("SyntaxError: ").partition(" in JSON at position ")[0]
        message = f"JSON Parse error: {words.partition(', ')[0] if words.endswith('is not valid JSON') else words}"
        raise SourceError(_detail(message, path, text, line, column)) from error


def _json_error_place(text: str) -> tuple[int, int]:
    """Return the line and column of the error in a JSON document: its end if Python accepts it."""
    import json

    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno, error.colno
    except (ValueError, RecursionError):
        return 1, 1
    return text.count("\n") + 1, len(text.rpartition("\n")[2]) + 1


def _detail(message: str, path: str, text: str, line: int, column: int) -> dict[str, str | int]:
    lines = text.split("\n")
    source = lines[min(line, len(lines)) - 1].rstrip("\r")
    return {"message": message, "file": path, "line": line, "column": column, "source": source}


def parse_commented_json(text: str, path: str, *, is_json5: bool) -> Any:
    """Return a JSON document with comments and trailing commas, or a JSON5 document, as data.

    Raises SourceError.
    """
    value, problems = _native.read_json(text, path, is_json5=is_json5)
    if problems:
        raise source_error(problems[0])
    return value


def read_yaml(text: str, path: str) -> list[Any]:
    """Return the steps that build a YAML document. Raises SourceError."""
    steps, problem = _native.read_yaml(text)
    if problem is not None:
        message, line, column = problem
        lines = text.split("\n")
        source = lines[min(line, len(lines)) - 1]
        raise SourceError({"message": message, "file": path, "line": line, "column": column, "source": source})
    return list(steps)


def read_xml(provider: ProgramProvider, text: str, path: str) -> Any:
    """Return an XML document as the engine's own value. Raises SourceError."""
    import json

    from .xml import XmlProblem, parse_xml

    try:
        document = parse_xml(text)
    except XmlProblem as problem:
        message = f"XML Parse error: {problem.message}"
        raise SourceError(_detail(message, path, text, problem.line, problem.column)) from problem
    return provider.entry.invoke("parseJson", json.dumps(document))


def parse_toml(text: str, path: str) -> Any:
    """Return a TOML document as plain data; dates and times become text. Raises SourceError."""
    from ...vocabulary.toml import TomlProblem, read_toml

    try:
        return _plain(read_toml(text))
    except TomlProblem as problem:
        raise SourceError(_detail(problem.reason, path, text, problem.line, problem.column)) from problem
    except RecursionError as error:
        raise SourceError(_detail("nested too deeply", path, text, 1, 1)) from error


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) else _moment(value)


def _moment(value: Any) -> str:
    """Return a date, a time or both in ISO 8601, converted to UTC if it has an offset."""
    from datetime import UTC, datetime

    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    text: str = value.isoformat()
    return text


def read_data_url(url: str) -> tuple[str, bytes]:
    """Return (media type, content) of a `data:` URL. Raises ModuleNotFound for an invalid URL."""
    from urllib.parse import unquote_to_bytes

    head, comma, body = url[5:].partition(",")
    try:
        if not comma:
            raise ValueError("no comma")
        data = unquote_to_bytes(body.partition("#")[0])
        if head.lower().endswith(";base64"):
            data = _forgiving_base64(data)
    except ValueError as error:
        message = f"Invalid data URL '{url[:80]}'"
        raise ModuleNotFound("ERR_INVALID_URL", message, message) from error
    return head.partition(";")[0].strip().lower(), data


def _forgiving_base64(data: bytes) -> bytes:
    """Decode forgiving base64: ignores white space and missing `=` at the end. Raises ValueError."""
    from base64 import b64decode

    data = data.translate(None, b" \t\n\f\r").rstrip(b"=")
    return b64decode(data + b"=" * (-len(data) % 4), validate=True)
