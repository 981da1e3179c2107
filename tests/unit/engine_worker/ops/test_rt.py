"""Wyhash against values of the peer."""

from __future__ import annotations

import pytest

from rt_supervisor.engine_worker.ops.rt import wyhash

KNOWN = [
    (b"", 0, 290873116282709081), (b"", 5, 9517692316506767110), (b"a", 0, 2941419223392617777),
    (b"abc", 7, 11816648454253072001), (b"hello world", 0, 7389666205914310003), (b"x" * 17, 5, 14047532990556771000),
    (b"y" * 48, 0, 9900064646439298042), (b"z" * 49, 7, 14511161428498382673), (b"q" * 200, 0, 16520190557044085900),
]  # fmt: skip


@pytest.mark.parametrize(("data", "seed", "expected"), KNOWN)
def test_wyhash(data: bytes, seed: int, expected: int) -> None:
    assert wyhash(data, seed) == expected
