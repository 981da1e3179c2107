"""Texts that clients load through the program: `Network.loadNetworkResource`, and `IO.read` and `IO.close` for its streams.

The texts are those that the program offers (`inspector.NetworkResources.put`), as in Node, and files, which clients need for
source maps and for sources that a map does not contain. A stream has the name of its resource.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Params: TypeAlias = dict[str, Any]

_FILE = "file://"
MOST_BYTES = 200_000_000
"""Of a file."""


class InvalidParams(Exception):
    """A command lacks a parameter, or one has another type."""


class Resources:
    """The resources of one engine; `has_files` is whether clients may load files."""

    def __init__(self, *, has_files: bool) -> None:
        self._has_files = has_files
        self._texts: dict[str, str] = {}
        self._positions: dict[str, int] = {}
        self.commands: dict[object, Callable[[int, Params], Params]] = {
            "Network.loadNetworkResource": self._load,
            "IO.read": self._read,
            "IO.close": self._close,
        }

    def put(self, url: str, text: str) -> None:
        """Offer `text` under `url`."""
        self._texts[url] = text

    def _load(self, _client: int, params: Params) -> Params:
        url = _text_of(params, "url")
        if url.startswith(_FILE) and url not in self._texts and self._has_files:
            text = _read_file(url)
            if text is not None:
                self._texts[url] = text
        if url not in self._texts:
            return {"resource": {"success": False}}
        self._positions[url] = 0
        return {"resource": {"success": True, "stream": url}}

    def _read(self, _client: int, params: Params) -> Params:
        """Return `size` characters, by default all that are left, from `offset`, by default where the last read ended."""
        stream = _text_of(params, "handle")
        offset, size = (_number_of(params, name) for name in ("offset", "size"))
        text = self._texts.get(stream, "")
        start = self._positions.get(stream, 0) if offset is None else max(offset, 0)
        data = text[start:] if size is None else text[start : start + max(size, 0)]
        if offset is None:
            self._positions[stream] = start + len(data)
        return {"data": data, "eof": not data}

    def _close(self, _client: int, params: Params) -> Params:
        stream = _text_of(params, "handle")
        self._texts.pop(stream, None)
        self._positions.pop(stream, None)
        return {}


def _read_file(url: str) -> str | None:
    """Return the text of a file; None if it cannot be read."""
    import os
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost"):
        return None
    try:
        path = unquote(parts.path, errors="surrogateescape")
        if not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:
            return None
        with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def _text_of(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise InvalidParams
    return value


def _number_of(params: Params, name: str) -> int | None:
    value = params.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise InvalidParams
    return value
