"""Operations that every program may need: parts of the runtime.

Output, exit, source maps and everything else in `_native.HOST_OPERATIONS` is native.
"""

from __future__ import annotations

from ..start import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ... import _native
    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    def library_module(name: str) -> _native.JsFunction:
        return bundle.library_module(host.engine, name)

    return {"libraryModule": library_module}
