"""Prepares the interpreter of a debug build, or of a build with AddressSanitizer, before rt starts in it.

No installed rt contains this package. `prepare` preloads the sanitizer's runtime by executing the interpreter again, and
installs the tracepoints of Python (`tracepoints`).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PRELOAD = "LD_PRELOAD"
_OPTIONS = "ASAN_OPTIONS"
# Leaks: rt ends without finalisation, so that all of Python's memory would be reported; a test that looks for leaks calls the
# sanitizer itself. Signal handlers: V8 handles SIGSEGV of WebAssembly. The order of libraries: the runtime is preloaded.
_DEFAULTS = "detect_leaks=0:allow_user_segv_handler=1:detect_stack_use_after_return=0:verify_asan_link_order=0"


def prepare(runtime: str | None, *, traces: bool) -> None:
    """Prepare this process. `runtime` is the sanitizer's library, if rt was built with it."""
    if runtime is not None:
        _preload(runtime)
    if traces:
        from .tracepoints import install

        install()


def _preload(runtime: str) -> None:
    """Execute the interpreter again with `runtime` preloaded; in the second process, hide that from children."""
    preloaded = os.environ.get(_PRELOAD, "").split(":")
    if runtime not in preloaded:
        os.environ[_PRELOAD] = ":".join([runtime, *filter(None, preloaded)])
        suppressions = Path(__file__).with_name("suppressions.txt")
        os.environ[_OPTIONS] = ":".join(
            filter(None, [_DEFAULTS, f"suppressions={suppressions}", os.environ.get(_OPTIONS)])
        )
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    rest = ":".join(path for path in preloaded if path and path != runtime)
    if rest:
        os.environ[_PRELOAD] = rest
    else:
        del os.environ[_PRELOAD]
