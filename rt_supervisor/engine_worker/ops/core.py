"""What every program needs: output, exit, microtasks, rejections, and what printing an error asks for."""

from __future__ import annotations

import os

from .. import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from ... import _native
    from ..worker import EngineWorker


def operations(worker: EngineWorker) -> dict[str, Any]:
    def exit_now(status: int) -> NoReturn:
        raise SystemExit(status)

    def take_rejections() -> list[Any]:
        return [[handled, promise, reason] for handled, promise, reason in worker.engine.take_rejections()]

    def complete() -> None:
        worker.loop.complete(lambda: worker.entry.invoke("completions"))

    def library_module(name: str) -> _native.JsFunction:
        return bundle.library_module(worker.engine, name)

    return {
        "libraryModule": library_module,
        "complete": complete,
        "write": worker.output.write,
        "exit": exit_now,
        "runMicrotasks": worker.engine.run_microtasks,
        "takeRejections": take_rejections,
        "wake": worker.loop.wake,
        "sourceLines": worker.sources.lines,
        "mapPosition": worker.sources.map_position,
        "mapName": worker.sources.map_name,
        "isTerminal": os.isatty,
    }
