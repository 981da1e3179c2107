"""Operations of `js/internal/pipe_handle.js` and of channels: adopting descriptors, deserializing structured clones.

Reading and writing are native (`native/src/event_loop/streams.rs`).
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    return {
        "adopt": adopt,
        "own": host.loop.own,
        "disown": host.loop.disown,
        "deserialize": (host.engine.deserialize, "b"),
    }


def adopt(descriptor: int) -> bool:
    """Adopt a descriptor that rt was started with; return whether it exists."""
    try:
        os.set_inheritable(descriptor, False)
        os.set_blocking(descriptor, False)
    except OSError:
        return False
    return True
