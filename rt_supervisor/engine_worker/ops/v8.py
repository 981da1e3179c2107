"""Operations of `js/node/v8.js`: serialization of values, and the tag of V8's cached code."""

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
