"""Frames of zstd, which caches are stored in."""

from __future__ import annotations

import pytest

from rt_supervisor._native import zstd_compress, zstd_decompress


@pytest.mark.parametrize("data", [b"", b"x", b"\7" * 100_000])
def test_a_frame_returns_what_was_compressed_and_nothing_else(data: bytes) -> None:
    frame = zstd_compress(data, 1)
    assert zstd_decompress(frame, len(data)) == data
    assert zstd_decompress(frame, len(data) + 1) is None
    assert zstd_decompress(frame[:-1], len(data)) is None


def test_other_bytes_are_not_a_frame() -> None:
    assert zstd_decompress(b"not a frame", 5) is None
