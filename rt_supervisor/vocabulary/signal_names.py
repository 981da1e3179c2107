"""Names and numbers of signals."""

from __future__ import annotations

import _signal

_NAMES: dict[int, str] = {}


def signal_number(name: str) -> int:
    """Return 15 for "SIGTERM". Raises KeyError for a name that this system does not know."""
    return int(vars(_signal)[name])


def signal_name(number: int) -> str:
    """Return "SIGTERM" for 15, "SIGRTMIN+3" for a real-time signal, "SIG99" for a signal without a name."""
    if not _NAMES:
        for name, value in vars(_signal).items():
            if name.startswith("SIG") and name[3:4].isalpha() and isinstance(value, int):
                _NAMES.setdefault(int(value), name)
        first, last = int(_signal.SIGRTMIN), int(_signal.SIGRTMAX)
        _NAMES.update({number: f"SIGRTMIN+{number - first}" for number in range(first + 1, last)})
        _NAMES.update({6: "SIGABRT", 17: "SIGCHLD", 29: "SIGIO"})  # those with two names
    return _NAMES.get(number, f"SIG{number}")
