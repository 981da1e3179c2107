"""The compile cache of one program: asked for by NODE_COMPILE_CACHE, or by the program (`module.enableCompileCache`).

`_native.CodeKeepers` has it read and written; here it is decided whether there is one, in which folder, and what Node's JavaScript
is told of that. Imported when one is asked for.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..program.worker import EngineWorker

_FAILED, _ENABLED, _ALREADY_ENABLED, _DISABLED = range(4)  # `module.constants.compileCacheStatus`
_DISABLED_MESSAGE = "Disabled by NODE_DISABLE_COMPILE_CACHE"


def begin(worker: EngineWorker) -> None:
    """Use the cache that the environment names; without its folder the program runs as without a cache."""
    environment = worker.options.environment
    enable(
        worker,
        environment["NODE_COMPILE_CACHE"],
        is_portable=environment.get("NODE_COMPILE_CACHE_PORTABLE") == "1",
        is_read_only=environment.get("NODE_COMPILE_CACHE_READONLY") == "1",
        is_disabled="NODE_DISABLE_COMPILE_CACHE" in environment,
    )


def enable(worker: EngineWorker, folder: str, *, is_portable: bool, is_read_only: bool, is_disabled: bool) -> list[Any]:
    """Use the cache in `folder`; return status, message (or None) and folder (or None)."""
    tells = "compile_cache" in worker.options.environment.get("NODE_DEBUG_NATIVE", "").lower().split(",")
    keepers = worker.compiling.keepers
    if keepers.cache_folder is not None:
        return [_ALREADY_ENABLED, None, keepers.cache_folder]
    if is_disabled:
        if tells:
            os.write(2, f"[compile cache] {_DISABLED_MESSAGE}.\n".encode())
        return [_DISABLED, _DISABLED_MESSAGE, None]
    try:
        base = keepers.open_cache(folder, is_portable=is_portable, is_read_only=is_read_only, tells=tells)
    except ValueError as error:
        return [_FAILED, str(error), None]
    return [_ENABLED, None, base]
