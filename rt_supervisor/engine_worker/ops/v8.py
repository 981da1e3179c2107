"""What `js/node/v8.js` asks of the engine: values as bytes and back, and which V8 compiled code is for."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    return {
        "serialize": host.engine.serialize,
        "deserialize": (host.engine.deserialize, "b"),
        "versionTag": lambda: _native.checksum(_native.v8_version().encode()) & 0xFFFFFFFF,
    }
