"""What an agent removes from its stores."""

from __future__ import annotations

import os
import time
from pathlib import Path

from rt_supervisor.cluster.contents import ContentStore
from rt_supervisor.cluster.pruning import prune

BLOCK = 4096
LATER_S = 3600.0


def content(store: ContentStore, text: str) -> tuple[str, Path]:
    digest = store.put(text.encode() * BLOCK)
    return digest, Path(store.path(digest))


def size_of(*paths: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in paths)


def test_the_least_recently_used_contents_go_first_and_linked_ones_stay(tmp_path: Path) -> None:
    store = ContentStore(str(tmp_path / "contents"))
    (linked_digest, linked), (_, oldest), (used_digest, used), (_, newest) = (content(store, text) for text in "abcd")
    store.place_file(linked_digest, 0o644, str(tmp_path / "in a tree"))
    before = newest.stat().st_ctime_ns
    while used.stat().st_ctime_ns <= before:
        store.use([used_digest])
    limit = size_of(linked, used)
    assert prune(str(tmp_path), limit) == 0  # all of it was used just now
    assert prune(str(tmp_path), limit, now_s=time.time() + LATER_S) == size_of(linked, used)
    assert linked.exists() and used.exists() and not oldest.exists() and not newest.exists()
    assert store.has(used_digest)
    (tmp_path / "in a tree").unlink()
    prune(str(tmp_path), 0, now_s=time.time() + LATER_S)
    assert not linked.exists() and not used.exists()


def test_packages_are_removed_as_a_whole(tmp_path: Path) -> None:
    for name, used_s in (("old", 1000), ("new", 2000)):
        folder = tmp_path / "packages" / name
        (folder / "node_modules/x").mkdir(parents=True)
        (folder / "node_modules/x/file").write_bytes(b"x" * BLOCK)
        os.link(folder / "node_modules/x/file", folder / "node_modules/x/same")  # counted once
        os.link(folder / "node_modules/x/file", tmp_path / f"in a tree of {name}")
        os.utime(folder, (used_s, used_s))
    assert prune(str(tmp_path), BLOCK) == 0  # a link to each file is left: nothing would be freed
    for name in ("old", "new"):
        (tmp_path / f"in a tree of {name}").unlink()
    assert prune(str(tmp_path), BLOCK) == BLOCK
    assert [path.name for path in (tmp_path / "packages").iterdir()] == ["new"]
