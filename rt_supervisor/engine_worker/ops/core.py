"""What every program may need of Python: parts of the runtime.

Output, exit, places in source maps and what else stands in `_native.HOST_OPERATIONS` is done without Python.
"""

from __future__ import annotations

from ..start import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ... import _native
    from ..host import Host


def operations(worker: Host) -> dict[str, Any]:
    def library_module(name: str) -> _native.JsFunction:
        return bundle.library_module(worker.engine, name)

    return {"libraryModule": library_module}
