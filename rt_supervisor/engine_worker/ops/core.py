"""What every program needs: output, exit, and what printing an error asks for."""

from __future__ import annotations

import os

from ..start import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from ... import _native
    from ..host import HostWithSources


def operations(worker: HostWithSources) -> dict[str, Any]:
    def exit_now(status: int) -> NoReturn:
        raise SystemExit(status)

    def listen_to_output() -> None:
        worker.output.on_closed = lambda: worker.loop.complete(lambda: worker.entry.invoke("outputClosed"))

    def library_module(name: str) -> _native.JsFunction:
        return bundle.library_module(worker.engine, name)

    return {
        "libraryModule": library_module,
        "write": worker.output.write,
        "exit": exit_now,
        "wake": worker.loop.wake,
        "sourceLines": worker.sources.lines,
        "mapPosition": worker.sources.map_position,
        "mapName": worker.sources.map_name,
        "compiledSource": worker.sources.compiled,
        "isTerminal": os.isatty,
        "listenToOutput": listen_to_output,
    }
