"""What `js/node/zlib` asks of the host: streams of zlib, brotli and zstd under a number, each a native `Codec`.

A step's answer is [bytes, how many bytes of the input are left, whether there is more to come, message, errno, code]; the
last three are null when all is well. A codec is in one thread at a time: JavaScript asks for nothing else of it while a step
is under way.
"""

from __future__ import annotations

import os

from ... import _native
from .threads import MOST_THREADS, Threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..host import Host

# Smaller input is done at once: a thread would cost more.
SMALL_BYTES = 4096
NO_PROBLEM = [_native.null, _native.null, _native.null]


def operations(host: Host) -> dict[str, Any]:
    codecs: dict[int, _native.Codec] = {}
    threads = Threads(host, most=max(2, min(MOST_THREADS, os.cpu_count() or 1)))
    last = 0

    def create(kind: str, settings: dict[str, Any], dictionary: bytes) -> int | str:
        """Return a number, or what is wrong with the settings."""
        nonlocal last
        try:
            codec = _MAKERS[kind](settings, dictionary if settings["hasDictionary"] else None)
        except ValueError as problem:
            return str(problem)
        last += 1
        codecs[last] = codec
        return last

    def run_later(number: int, data: bytes, flush: int, limit: int, callback: Any) -> None:
        """Do a step and call back with its answer in a later turn."""
        codec = codecs[number]
        if len(data) <= SMALL_BYTES:
            threads.answer(_step(codec, data, flush, limit), callback)
        else:
            threads.ask(lambda: _step(codec, data, flush, limit), callback)

    def go_on_later(number: int, flush: int, limit: int, callback: Any) -> None:
        codec = codecs[number]
        threads.ask(lambda: _step(codec, None, flush, limit), callback)

    def set_params(number: int, level: int, strategy: int) -> list[Any]:
        return _told(codecs[number].set_params(level, strategy))

    return {
        "create": (create, "scb"),
        "run": (lambda number, data, flush, limit: _step(codecs[number], data, flush, limit), "vbvv"),
        "runLater": (run_later, "vbvvv"),
        "goOn": lambda number, flush, limit: _step(codecs[number], None, flush, limit),
        "goOnLater": go_on_later,
        "setParams": set_params,
        "reset": lambda number: _told(codecs[number].reset()),
        "close": lambda number: codecs.pop(number, None) and None,
        "crc32": (_native.crc32, "bv"),
    }


def _step(codec: _native.Codec, data: bytes | None, flush: int, limit: int) -> list[Any]:
    output, left, has_more, problem = codec.run(data, flush, limit)
    return [output, left, has_more, *_told(problem)]


def _told(problem: tuple[str, int, str] | None) -> list[Any]:
    return NO_PROBLEM if problem is None else list(problem)


def _deflate(settings: dict[str, Any], dictionary: bytes | None) -> _native.Codec:
    level, memory, strategy = settings["level"], settings["memLevel"], settings["strategy"]
    return _native.Codec.deflate(level, settings["windowBits"], memory, strategy, dictionary)


def _inflate(kind: str) -> Callable[[dict[str, Any], bytes | None], _native.Codec]:
    def make(settings: dict[str, Any], dictionary: bytes | None) -> _native.Codec:
        return _native.Codec.inflate(kind, settings["windowBits"], dictionary, settings.get("isSingle") is True)

    return make


def _params(settings: dict[str, Any]) -> list[tuple[int, int]]:
    return [(int(key), int(value)) for key, value in settings["params"]]


def _size(settings: dict[str, Any]) -> int | None:
    """How much input was announced."""
    size = settings.get("size")
    return int(size) if isinstance(size, (int, float)) else None


_MAKERS: dict[str, Callable[[dict[str, Any], bytes | None], _native.Codec]] = {
    "deflate": _deflate,
    "inflate": _inflate("inflate"),
    "gunzip": _inflate("gunzip"),
    "unzip": _inflate("unzip"),
    "inflateRaw": _inflate("raw"),
    "brotliCompress": lambda settings, words: _native.Codec.brotli_encoder(_params(settings), words),
    "brotliDecompress": lambda settings, words: _native.Codec.brotli_decoder(_params(settings), words),
    "zstdCompress": lambda settings, words: _native.Codec.zstd_encoder(_params(settings), words, _size(settings)),
    "zstdDecompress": lambda settings, words: _native.Codec.zstd_decoder(_params(settings), words),
}
