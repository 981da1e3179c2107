"""What `js/node/v8.js` asks of the engine: values as bytes and back, and which V8 compiled code is for."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..program.worker import EngineWorker


def operations(worker: EngineWorker) -> dict[str, Any]:
    return {
        "serialize": worker.engine.serialize,
        "deserialize": (worker.engine.deserialize, "b"),
        "versionTag": lambda: _native.checksum(_native.v8_version().encode()) & 0xFFFFFFFF,
    }
