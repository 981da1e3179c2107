"""Files and `data:` URLs that are no scripts: what JSON, JSONC, JSON5, TOML and text mean as a module's default export.

Values are plain data for the engine, except JSON, which the engine parses itself. Names and modules are `modules`'s.
"""

from __future__ import annotations

import os

from .. import _native
from .problems import ModuleNotFound, RequireFailed, SourceError, source_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .worker import EngineWorker

UNSUPPORTED = {"yaml": "YAML", "sqlite": "SQLite", "html": "HTML"}
# JSON files that people write comments in.
_COMMENTED = ("tsconfig.json", "jsconfig.json", "package.json")


def data_value(worker: EngineWorker, path: str, loader: str, data: bytes | None) -> Any:
    """Return what a file means to those who import it with `loader`; reads it unless `data` is given.

    Raises SourceError for what is malformed, JsError for malformed JSON, ModuleNotFound for what cannot be read,
    RequireFailed for a native addon.
    """
    if loader in ("file", "wasm"):  # the peer gives WebAssembly's path, too, for WebAssembly.instantiate
        return path
    if loader in UNSUPPORTED:
        message = f"{UNSUPPORTED[loader]} imports are not available in this version of rt: {path}"
        raise ModuleNotFound("ERR_UNKNOWN_FILE_EXTENSION", message, message)
    if loader == "napi":
        message = "To load Node-API modules, use require() or process.dlopen instead of import."
        raise RequireFailed("ERR_DLOPEN_FAILED", message)
    if loader == "css":
        return {}
    if data is None:
        data = read(path)
    if loader in ("base64", "dataurl"):
        return encoded(path, loader, data)
    text = data.decode("utf-8-sig", "replace")
    if loader in ("jsonc", "json5") or (loader == "json" and os.path.basename(path) in _COMMENTED):
        return parse_commented_json(text, path)
    if loader == "json":
        return worker.entry.invoke("parseJson", text, path)
    if loader == "toml":
        return parse_toml(text, path)
    return text


def read(path: str) -> bytes:
    """Return a regular file's bytes. Raises ModuleNotFound."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise unreadable(path, (error.strerror or "unknown error").lower()) from error


def unreadable(path: str, why: str) -> ModuleNotFound:
    """Return the error of a module whose file is there and cannot be used."""
    message = f"Cannot read {path}: {why}"
    return ModuleNotFound("ERR_MODULE_NOT_FOUND", message, message)


def encoded(path: str, loader: str, data: bytes) -> str:
    """Return a file's bytes in base64, as a `data:` URL where `loader` asks for one."""
    from base64 import b64encode

    text = b64encode(data).decode("ascii")
    if loader == "base64":
        return text
    from mimetypes import guess_type

    return f"data:{guess_type(path)[0] or 'application/octet-stream'};base64,{text}"


def parse_commented_json(text: str, path: str) -> Any:
    """Return a JSON document that may have comments and trailing commas as data. Raises SourceError."""
    value, problems = _native.read_json(text, path)
    if problems:
        raise source_error(problems[0])
    return value


def parse_toml(text: str, path: str) -> Any:
    """Return a TOML document as plain data; dates and times are text. Raises SourceError."""
    import tomllib

    try:
        return _plain(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        words = str(error)
        line = text.count("\n") + 1
        if "(at line " in words:
            line = int(words.rpartition("(at line ")[2].partition(",")[0])
        lines = text.split("\n")
        source = lines[min(line, len(lines)) - 1]
        raise SourceError({"message": words, "file": path, "line": line, "column": 1, "source": source}) from error


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def read_data_url(url: str) -> tuple[str, str]:
    """Return (media type, text) of a `data:` URL. Raises ModuleNotFound for what is none."""
    from base64 import b64decode
    from urllib.parse import unquote_to_bytes

    head, comma, body = url[5:].partition(",")
    try:
        if not comma:
            raise ValueError("no comma")
        data = unquote_to_bytes(body.partition("#")[0])
        if head.endswith(";base64"):
            data = b64decode(data)
    except ValueError as error:
        message = f"Invalid data URL '{url[:80]}'"
        raise ModuleNotFound("ERR_INVALID_URL", message, message) from error
    return head.partition(";")[0].strip().lower(), data.decode("utf-8", "replace")
