"""`rt --v8-options`: prints the flags of V8. Programs that pass flags on (gulp, Babel's node) read them there."""

from __future__ import annotations


def print_v8_options() -> None:
    """Print V8's flags to standard output, as Node does. Raises Failed if V8 is not installed."""
    import ctypes

    from ...engine_worker.start.library import start

    start("--help")
    ctypes.CDLL(None).fflush(None)  # V8 prints through the C library, and rt ends without its exit handlers
