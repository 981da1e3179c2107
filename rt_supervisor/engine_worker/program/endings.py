"""Abnormal ends of a program: out of memory, output that cannot be written, top-level awaits that never settle.

Imported when one of them happens. The exceptions become rt's message and exit status (`errors.Failed`).
"""

from __future__ import annotations

import contextlib
import os

from ...vocabulary.errors import Failed
from .problems import error_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

    from ... import _native
    from .provider import ProgramProvider

OUT_OF_MEMORY_STATUS = 134
FATAL_IN_HANDLER_STATUS = 7


def out_of_memory(limit_bytes: int) -> Failed:
    message = f"JavaScript ran out of memory: its heap reached the limit of {limit_bytes >> 20} MB"
    return Failed("heap-limit", message, OUT_OF_MEMORY_STATUS)


def output_failure(failed: _native.OutputFailed) -> Failed:
    number, descriptor = failed.args
    stream = {1: "standard output", 2: "standard error"}[descriptor]
    code, words = error_words(OSError(number, os.strerror(number)))
    return Failed("output-failed", f"cannot write to {stream}: {code}: {words}")


def ended_by(provider: ProgramProvider, error: _native.JsError) -> int:
    """Print an error that no callback could catch; return its exit status."""
    from ... import _native

    try:
        provider.entry.invoke("uncaught", error.value)
        status = provider.entry.invoke("exit", 1)
    except _native.JsError as another:  # printing threw as well: the program has modified objects that it needs
        provider.output.flush()
        with contextlib.suppress(OSError):
            os.write(2, f"{another}\n".encode(errors="replace"))
        return FATAL_IN_HANDLER_STATUS
    return int(status) if isinstance(status, (int, float)) else 1


def end_process(ended: Callable[[], int]) -> NoReturn:
    """End the process with the status that `ended` returns, or with the failure that it raises."""
    try:
        status = ended()
    except Failed as failed:
        status = failed.failure.status
        with contextlib.suppress(OSError):
            os.write(2, f"error: {failed.failure.message}\n".encode())
    os._exit(status)


def warn_of_unsettled(provider: ProgramProvider, modules: Iterable[_native.JsModule]) -> None:
    """Warn of the top-level awaits in the graphs of `modules` that will never settle, unless warnings are off."""
    environment = provider.options.environment
    if provider.options.start.get("noWarnings") or environment.get("NODE_NO_WARNINGS") == "1":
        return
    for module in modules:
        for name, line, column in module.find_pending_awaits():
            place = provider.sources.map_position(str(name), line, column)[0] if line else None
            message = f"Detected unsettled top-level await at {name}:{place or '?'}"
            if provider.files.is_node and place:
                message = message.replace(
                    f"{provider.options.folder}/[eval]:", f"file://{provider.options.folder}/[eval1]:"
                )
                source = provider.sources.lines(str(name), place, place) or [""]
                message += f"\n{source[0]}\n{' ' * (column - 1)}^\n\n\n"
            provider.entry.invoke("warn", message)
