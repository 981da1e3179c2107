"""The native module, `native/`: its whole surface and its documentation.

Errors are Python exceptions; no call panics. Functions that do real work release the GIL.
"""

# --- process.rs -------------------------------------------------------------------------------------------------

def become_subreaper() -> None:
    """Have orphaned descendants re-parented to this process. Raises OSError (Linux 3.4 and later have it)."""

def signal_descriptor(mask: int) -> int:
    """Return a new non-blocking descriptor from which arriving signals are read; bit n of `mask` chooses signal n.

    The signals must be blocked. Each read gives 128-byte `signalfd_siginfo` records (signalfd(2)). Raises OSError.
    """

def spawn(
    argv: list[bytes],
    environment: list[bytes],
    folder: bytes,
    descriptors: tuple[int, int, int],
    group: int,
    ignored: int,
) -> int:
    """Start `argv` (its first element is the program's path, not looked up) and return its pid.

    `environment` holds complete `NAME=value` entries; `folder` is its working folder (empty: the caller's).
    `descriptors` become its 0, 1 and 2; each must be its own target or above 2. `group` is the process group to join,
    0 for a new one, -1 for the caller's. Signals whose bit is set in `ignored` stay ignored, all others get their
    default action; none is blocked. The process is killed when the thread that started it ends.
    Raises OSError with errno, and with the path when the folder or the program is at fault, ValueError on a null byte.
    """
