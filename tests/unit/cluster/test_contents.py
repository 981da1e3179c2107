"""The store of contents: what it remembers of many files never hides that one of them has changed."""

from __future__ import annotations

import os
import time
from pathlib import Path

from rig import wait_until

from rt_supervisor import _native
from rt_supervisor.cluster.contents import ContentStore
from rt_supervisor.start.dependencies import CLOCK_TICK_NS


def test_a_change_of_a_remembered_file_is_noticed(tmp_path: Path) -> None:
    store = ContentStore(str(tmp_path))
    digests = [store.put(b"%d" % number) for number in range(2500)]
    last = [os.fsencode(store.path(digests[-1]))]
    wait_until(lambda: _native.identify(last, time.time_ns() - CLOCK_TICK_NS) is not None, "the files are old enough")
    inodes = store.remember(digests)
    assert inodes == {digest: os.lstat(store.path(digest)).st_ino for digest in digests}
    assert store.inodes(digests) == inodes

    changed, linked, removed, executable = digests[0], digests[1], digests[1200], digests[2400]
    times = os.stat(store.path(changed))
    with open(store.path(changed), "r+b") as file:
        file.write(b"1")  # as long as before
    os.link(store.path(linked), tmp_path / "link")
    os.unlink(store.path(removed))
    os.chmod(store.path(executable), 0o755)
    left = {digest: inode for digest, inode in inodes.items() if digest not in (changed, removed, executable)}
    assert store.inodes(digests) == left
    assert store.inodes(digests[:10]) == {digest: inodes[digest] for digest in digests[1:10]}

    os.utime(store.path(changed), ns=(times.st_atime_ns, times.st_mtime_ns - 1))
    assert store.remember(digests) == left
    assert store.inodes(digests) == left
    assert store.read(changed) is None  # and removes it
    store.put(b"0")
    store.put(b"1200")
    found = store.inodes(digests)
    assert found.keys() == inodes.keys() - {executable}
    assert found[changed] == os.lstat(store.path(changed)).st_ino
