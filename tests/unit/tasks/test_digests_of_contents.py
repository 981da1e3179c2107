"""The native digests, compared with those of Python's library and of git's form."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from rt_supervisor._native import blob_digest, blob_digest_of, content_digest

BLOCK = 1 << 20


@pytest.mark.parametrize("size", [0, 1, 55, 64, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 7])
def test_digests_of_contents(tmp_path: Path, size: int) -> None:
    data = bytes(range(251)) * (size // 251 + 1)
    data = data[:size]
    (tmp_path / "file").write_bytes(data)
    assert content_digest(data) == hashlib.blake2b(data, digest_size=20).hexdigest()
    wanted = hashlib.sha1(b"blob %d\0" % size + data, usedforsecurity=False).hexdigest()
    assert blob_digest(data) == blob_digest_of(str(tmp_path / "file")) == wanted


def test_a_file_that_cannot_be_read_has_no_digest(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(OSError):
            blob_digest_of(str(path))
