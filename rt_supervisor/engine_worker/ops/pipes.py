"""What `js/internal/pipe_handle.js` and channels ask of Python: descriptors taken over, values of the structured clone.

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
    """Take over a descriptor that rt was started with; whether there is one."""
    try:
        os.set_inheritable(descriptor, False)
        os.set_blocking(descriptor, False)
    except OSError:
        return False
    return True
