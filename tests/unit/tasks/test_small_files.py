"""Small files of a result: which are in its entry, and that the entry has them again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rt_supervisor.tasks.outputs import Damaged, restore
from rt_supervisor.tasks.small_files import MOST_BYTES, EntryFiles, NewFiles
from rt_supervisor.tasks.store import FILE, Entry, Output, Store


def test_files_beyond_the_limit_are_stored_by_themselves(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    files = NewFiles(store)
    datas = [b"a" * 1000, os.urandom(MOST_BYTES), b"a" * 1000, b"b" * (MOST_BYTES - 1000), b"c", b""]
    digests = [files.put_file(data) for data in datas]
    assert {files.contents.get(digest) for digest in digests} == {datas[0], datas[3], b"", None}
    assert store.sizes()[:2] == (0, 2)

    outputs = tuple(
        Output(f"out/{at}", FILE, 0o644, digests[at], len(data)) for at, data in enumerate(datas) if len(data) != 1
    )
    store.put("key", Entry((), outputs, 1.0, files.contents))
    entry = store.load("key")
    assert entry is not None
    root = tmp_path / "root"
    root.mkdir()
    restore(str(root), entry.outputs, present={}, store=EntryFiles(entry, store))
    assert all((root / each.path).read_bytes() == datas[int(each.path[4:])] for each in outputs)
    store.prune(max_bytes=10**9, max_age_s=10**6)
    assert store.sizes()[:2] == (1, 2)

    (root / "out/1").unlink()
    with pytest.raises(Damaged):
        restore(str(root), entry.outputs, present={}, store=EntryFiles(entry, Store(str(tmp_path / "other"))))
