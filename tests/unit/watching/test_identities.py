"""The identity of a file, by which the watcher recognises changes."""

from __future__ import annotations

import os
from pathlib import Path

from rt_supervisor.vocabulary.identity import identity_of
from rt_supervisor.watching.identities import FileStates


def test_only_different_content_counts_as_changed(tmp_path: Path) -> None:
    same, written, replaced, gone, made = (str(tmp_path / name) for name in "abcde")
    for path in (same, written, replaced, gone):
        Path(path).write_text("1")
    states = FileStates()
    for path in (same, written, replaced, gone, made):
        states.add(path)
    Path(written).write_text("22")
    Path(f"{replaced}.new").write_text("1")
    os.utime(f"{replaced}.new", ns=(0, os.stat(replaced).st_mtime_ns))
    Path(f"{replaced}.new").rename(replaced)
    Path(gone).unlink()
    Path(made).write_text("1")
    assert states.take_changed([same, written, replaced, gone, made, "/not/followed"]) == [
        written,
        replaced,
        gone,
        made,
    ]
    assert states.take_changed(states.paths) == []


def test_the_contents_of_a_folder_are_not_its_identity(tmp_path: Path) -> None:
    before = identity_of(str(tmp_path))
    (tmp_path / "x").write_text("1")
    assert identity_of(str(tmp_path)) == before
    assert identity_of(str(tmp_path / "gone")) is None
    assert identity_of("/a\0b") is None


def test_forgotten_files_are_not_watched(tmp_path: Path) -> None:
    states = FileStates()
    states.add(str(tmp_path / "x"))
    states.forget(str(tmp_path / "x"))
    (tmp_path / "x").write_text("1")
    assert states.take_changed([str(tmp_path / "x")]) == []
    assert len(states) == 0
