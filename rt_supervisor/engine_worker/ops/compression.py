"""What `js/rt_compression.js` asks of the host: zlib on whole buffers, by window bits (raw, zlib, gzip)."""

from __future__ import annotations

import zlib

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker


def operations(worker: EngineWorker) -> dict[str, Any]:
    def compress(data: bytes, level: int, window: int, memory: int, strategy: int) -> bytes:
        compressor = zlib.compressobj(level, zlib.DEFLATED, window, memory, strategy)
        return compressor.compress(data) + compressor.flush()

    def decompress(data: bytes, window: int) -> list[Any]:
        """Return [bytes, null], or [null, what is wrong]."""
        decompressor = zlib.decompressobj(window)
        try:
            result = decompressor.decompress(data) + decompressor.flush()
        except zlib.error as error:
            return [_native.null, str(error).partition(": ")[2] or str(error)]
        if not decompressor.eof:
            return [_native.null, "unexpected end of file"]
        return [result, _native.null]

    return {"compress": (compress, "bvvvv"), "decompress": (decompress, "bv")}
