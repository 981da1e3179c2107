"""A snapshot is tested in a separate process before it is stored."""

from __future__ import annotations

import subprocess

import pytest

from rt_supervisor.engine_worker.start import bundle


@pytest.fixture(scope="module")
def good() -> bytes:
    return bundle._build_elsewhere()


def check(data: bytes) -> int:
    return subprocess.run(bundle._python("check_snapshot"), input=data, capture_output=True).returncode


def test_a_good_one_passes(good: bytes) -> None:
    assert check(good) == 0


@pytest.mark.parametrize("damage", ["empty", "cut", "zeroed", "other bytes"])
def test_snapshots_that_v8_rejects_are_not_used(good: bytes, damage: str) -> None:
    middle = len(good) // 2
    data = {
        "empty": b"",
        "cut": good[:middle],
        "zeroed": good[:middle] + bytes(4096) + good[middle + 4096 :],
        "other bytes": b"\xff" * len(good),
    }[damage]
    assert check(data) != 0
