"""Closes, in a fork, the descriptors that an executed program would not inherit."""

from __future__ import annotations

import os

MOST_DESCRIPTORS = 1 << 16
_STREAMS = (0, 1, 2)


def close_what_is_not_inherited(*kept: int) -> None:
    """Close all open descriptors except the standard streams, `kept` and inheritable ones."""
    for descriptor in _candidates():
        try:
            if descriptor not in _STREAMS and descriptor not in kept and not os.get_inheritable(descriptor):
                os.close(descriptor)
        except OSError:
            continue  # the descriptor of the listing itself, or not open


def _candidates() -> list[int] | range:
    try:
        return [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:
        from resource import RLIMIT_NOFILE, getrlimit

        limit = getrlimit(RLIMIT_NOFILE)[0]
        return range(MOST_DESCRIPTORS if limit < 0 else min(limit, MOST_DESCRIPTORS))
