"""What every program may need of Python: parts of the runtime, and what printing an error asks for.

Output, exit and what else stands in `_native.HOST_OPERATIONS` is done without Python.
"""

from __future__ import annotations

from ..start import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ... import _native
    from ..host import HostWithSources


def operations(worker: HostWithSources) -> dict[str, Any]:
    def library_module(name: str) -> _native.JsFunction:
        return bundle.library_module(worker.engine, name)

    return {
        "libraryModule": library_module,
        "sourceLines": worker.sources.lines,
        "mapPosition": worker.sources.map_position,
        "mapName": worker.sources.map_name,
        "compiledSource": worker.sources.compiled,
    }
