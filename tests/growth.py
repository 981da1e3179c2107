"""A bound on how processor time grows with the size of an input, for parsers that must not be quadratic."""

from __future__ import annotations

import time
from collections.abc import Callable

_FACTOR = (
    16  # a linear function takes about this many times longer for an input that many times larger; a quadratic, 256
)
_MAX_RATIO = 80.0
_NOISE_S = 0.05  # shorter runs are dominated by fixed costs
_ATTEMPTS = 3
_LONG_S = 5.0  # not measured again


def assert_linear(run: Callable[[int], object], size: int) -> None:
    """Fail if `run(16 * size)` takes far more than 16 times as long as `run(size)`.

    Only the ratio of two runs on this machine counts, each the best of up to three, so that a slow or busy machine cannot fail
    the test. Times below a floor count as the floor.
    """
    small = min(_time_s(run, size) for _ in range(_ATTEMPTS))
    large = ratio = float("inf")
    for _ in range(_ATTEMPTS):
        large = min(large, _time_s(run, size * _FACTOR))
        ratio = large / max(small, _NOISE_S / _FACTOR)
        if ratio < _MAX_RATIO or large > _LONG_S:
            break
    assert ratio < _MAX_RATIO, (
        f"{size} takes {small:.4f} s, {size * _FACTOR} takes {large:.4f} s: {ratio:.0f} times as long"
    )


def _time_s(run: Callable[[int], object], size: int) -> float:
    begun = time.process_time()
    run(size)
    return time.process_time() - begun
