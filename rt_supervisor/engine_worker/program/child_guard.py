"""The command line of the guardian of a program's children (`native/src/children/guard.rs`), and the guardian itself if
the launcher is not installed. Imports only the native module.

`native/guardian/src/child_guard.rs` implements the guardian.
"""

from __future__ import annotations

import os
import sys


def words() -> tuple[str, list[str]]:
    """Return the guardian's program and its command line, without the program's pid and the mark."""
    launcher = _launcher()
    if launcher is not None:
        return launcher, ["rt-child-guard"]  # `rt_guardian::child_guard`
    return sys.executable, [sys.executable, "-I", "-S", "-E", __file__]


def _launcher() -> str | None:
    """Return the path of the native launcher if it started this process or is installed beside the interpreter."""
    called = sys._xoptions.get("rt")
    beside = os.path.join(os.path.dirname(sys.executable), "rt")
    for path in (called, beside):
        if isinstance(path, str) and os.path.isabs(path) and _is_launcher(path := os.path.realpath(path)):
            return path
    return None


def _is_launcher(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF" and os.path.exists(os.path.join(os.path.dirname(path), "rt-plain"))
    except OSError:
        return False


def _guard(pid: int, mark: int) -> None:
    """Run the guardian. This file is run as a script then, so it finds the native module relative to itself."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(folder))))
    from rt_supervisor import _native

    _native.guard_marked(pid, mark)


if __name__ == "__main__":
    _guard(int(sys.argv[1]), int(sys.argv[2]))
