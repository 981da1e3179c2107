"""Operations of `js/node/v8.js`: serialization of values, the tag of V8's cached code, and the stored heap."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from ..host import Host

    class HostOfHeap(Host, Protocol):
        def store_heap(self, has_main: bool) -> None:
            """Store the heap when the program has ended."""


def operations(host: HostOfHeap) -> dict[str, Any]:
    return {
        "serialize": host.engine.serialize,
        "deserialize": (host.engine.deserialize, "b"),
        "versionTag": _native.v8_version_tag,
        "storeHeap": host.store_heap,
    }
