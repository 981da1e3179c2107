"""The store of results: pruning, and paths of entries that leave the workspace."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from rt_supervisor.tasks.outputs import Damaged, restore
from rt_supervisor.tasks.store import FILE, FOLDER, LINK, Entry, Output, Store

DAY_S = 24 * 3600.0


def put(store: Store, key: str, data: bytes, *, used_s_ago: float) -> None:
    digest = store.put_file(data)
    store.put(key, Entry(((0, 1, b"log"),), (Output("dist/a", FILE, 0o644, digest, len(data)),), 1.5))
    then = time.time() - used_s_ago
    for path in (Path(store.place) / "entries" / key[:1] / key, Path(store.place) / "blobs" / digest[:1] / digest):
        os.utime(path, (then, then))


def test_entries_come_back_and_damaged_ones_do_not(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    put(store, "abc", b"content", used_s_ago=0)
    entry = store.load("abc")
    assert entry is not None
    assert (entry.log, entry.seconds, entry.outputs[0].path) == (((0, 1, b"log"),), 1.5, "dist/a")
    path = tmp_path / "entries/a/abc"
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        assert store.load("abc") is None
        path.write_bytes(data[:place])
        assert store.load("abc") is None
    path.rename(tmp_path / "entries/a/abd")
    assert store.load("abd") is None, "the entry is of another key"


def test_pruning_keeps_what_was_used_last_and_what_it_refers_to(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    put(store, "old", os.urandom(1000), used_s_ago=40 * DAY_S)
    put(store, "shared-1", b"shared", used_s_ago=2 * DAY_S)
    put(store, "shared-2", b"shared", used_s_ago=1 * DAY_S)
    put(store, "large", os.urandom(100_000), used_s_ago=3 * DAY_S)
    store.prune(max_bytes=50_000, max_age_s=30 * DAY_S)
    assert [key for key in ("old", "shared-1", "shared-2", "large") if store.load(key)] == ["shared-1", "shared-2"]
    assert store.sizes()[:2] == (2, 1)
    put(store, "young", b"young", used_s_ago=0)
    store.remove("young")
    store.prune(max_bytes=50_000, max_age_s=30 * DAY_S)
    assert store.sizes()[1] == 2, "a young file may belong to an entry that another process is about to store"


@pytest.mark.parametrize("path", ["../out", "/etc/x", "a//b", "a/../../x", "link/x"])
def test_outputs_never_leave_the_workspace(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    store = Store(str(tmp_path / "store"))
    digest = store.put_file(b"x")
    with pytest.raises(Damaged):
        restore(str(root), [Output(path, FILE, 0o644, digest, 1)], present={}, store=store)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["root", "store"]


def test_an_output_replaces_what_has_another_kind(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    digest = store.put_file(b"x")
    root = tmp_path / "root"
    root.mkdir()
    (root / "dist").symlink_to(tmp_path)
    (root / "file").mkdir()
    (root / "file" / "inner").write_text("")
    outputs = [
        Output("dist", FOLDER, 0o755, "", 0),
        Output("dist/a", FILE, 0o600, digest, 1),
        Output("dist/l", LINK, 0, "a", 0),
        Output("file", FILE, 0o644, digest, 1),
    ]
    restore(str(root), outputs, present={}, store=store)
    assert not (root / "dist").is_symlink()
    assert (root / "dist/l").read_text() == (root / "file").read_text() == "x"
    assert (root / "dist/a").stat().st_mode & 0o777 == 0o600


def test_nothing_is_changed_if_a_file_is_missing(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    digest = store.put_file(b"new")
    root = tmp_path / "root"
    (root / "dist").mkdir(parents=True)
    (root / "dist/a").write_text("old")
    outputs = [Output("dist/a", FILE, 0o644, digest, 3), Output("dist/b", FILE, 0o644, "0" * 40, 3)]
    with pytest.raises(Damaged):
        restore(str(root), outputs, present={}, store=store)
    assert [(path.name, path.read_text()) for path in (root / "dist").iterdir()] == [("a", "old")]


def test_a_store_that_is_removed_while_it_is_used_is_created_again(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    digest = store.put_file(b"a")
    shutil.rmtree(store.place)
    assert store.file(digest, 1) is None
    assert store.put_file(b"a") == digest
    assert store.file(digest, 1) == b"a"
