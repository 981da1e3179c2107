"""What rt remembers of files by their identity."""

from __future__ import annotations

import os
from pathlib import Path

from rt_supervisor.tasks.digests import DependencyTables, LockfileDigests


def test_the_dependencies_of_a_manifest_are_read_again_when_the_file_has_changed(tmp_path: Path) -> None:
    manifest = tmp_path / "package.json"
    manifest.write_text('{"dependencies": {"a": "1"}, "peerDependencies": {"p": "2"}}')
    os.utime(manifest, ns=(0, 0))
    place = str(manifest)
    assert DependencyTables().of(str(tmp_path / "absent.json")) == {}

    fresh = DependencyTables()  # the file may change again within the same tick of the clock: nothing is kept of it
    assert fresh.of(place) == {"a": "1", "p": "2"}

    about = manifest.stat()
    identity = (about.st_ino, about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    remembered = DependencyTables({place: (identity, {"from": "memory"})})
    assert remembered.of(place) == {"from": "memory"}
    manifest.write_text('{"devDependencies": {"b": "1"}}')
    assert remembered.of(place) == {"b": "1"}


def test_a_lockfile_is_read_again_when_it_or_what_is_wanted_of_it_has_changed() -> None:
    lockfile = b'{"packages": {"node_modules/a": {"version": "1"}, "node_modules/b": {"version": "1"}}}'
    newer = lockfile.replace(b'"1"}}}', b'"2"}}}')
    name = "package-lock.json"
    table = LockfileDigests()
    first = table.of(lockfile, name, ["x"], {"x": {"a": "1"}})
    assert table.of(newer, name, ["x"], {"x": {"a": "1"}}) == first  # only b is another one
    assert table.of(newer, name, ["x"], {"x": {"b": "1"}}) != first
    assert table.of(lockfile, name, ["x"], {"x": {"b": "1"}}) != table.of(newer, name, ["x"], {"x": {"b": "1"}})

    known = {key: {"x": "from memory"} for key in table.known}
    remembered = LockfileDigests(known)
    assert remembered.of(newer, name, ["x"], {"x": {"b": "1"}}) == {"x": "from memory"}
    assert remembered.of(newer, "npm-shrinkwrap.json", ["x"], {"x": {"b": "1"}}) != {"x": "from memory"}
    for number in range(9):
        remembered.of(b"", name, [str(number)], {})
    assert len(remembered.known) == len(known)
