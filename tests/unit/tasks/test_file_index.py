"""The files that tasks can depend on: which of them were added after the index was made."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rt_supervisor.tasks.digests import DigestMemo
from rt_supervisor.tasks.file_index import FileIndex
from rt_supervisor.tasks.git_files import GitReading
from rt_supervisor.tasks.globs import Globs, parse
from rt_supervisor.tasks.written import NOTHING, OutputSets, Written

DEFAULT = None
NAMED = ("src/**", "!src/*.test.txt", "config.json")
BOTH = ("$TURBO_DEFAULT$", "!src/deep", "extra/*.log")


def index_of(root: Path, *, is_repository: bool) -> FileIndex:
    reading = GitReading(str(root)) if is_repository else None
    return FileIndex(str(root), reading, DigestMemo(), read_ns=time.time_ns())


def make(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(os.fsencode(path))


def written(globs: Globs) -> Written:
    return OutputSets().joined(globs, ())


def added(index: FileIndex, patterns: Sequence[str] | None, folder: str, known: Sequence[str]) -> str:
    return index.added(patterns, folder, written(parse(["dist/**"], folder)), known)


@pytest.mark.parametrize("is_repository", [True, False])
@pytest.mark.parametrize("folder", ["", "packages/a"])
@pytest.mark.parametrize("patterns", [DEFAULT, NAMED, BOTH])
def test_every_addition_is_found_that_a_new_index_would_have(
    tmp_path: Path, is_repository: bool, folder: str, patterns: Sequence[str] | None
) -> None:
    """The truth is a second index; links, pipes, ignored and moved files, links to folders and folders without files included."""
    if is_repository:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    at = tmp_path / folder
    make(
        at, "src/a.txt", "package.json", "ignored/folder/old.txt", "debug.log", "extra/a.log", "node_modules/x/index.js"
    )
    make(tmp_path, "packages/b/index.js")
    make(at, ".gitignore")
    (at / ".gitignore").write_text("ignored\n*.log\nnode_modules\n")
    (at / "src/empty").mkdir()
    os.mkfifo(at / "src/first-pipe")
    (at / "src/to-folder").symlink_to(tmp_path / "packages/b")
    index = index_of(tmp_path, is_repository=is_repository)
    outputs = written(parse(["dist/**"], folder))
    known: Sequence[str] = index.inputs(patterns, folder, outputs)
    assert added(index, patterns, folder, known) == ""

    steps: list[Callable[[], object]] = [
        lambda: make(at, "dist/out.txt", "src/x.log", "node_modules/y/index.js", "packages/c/x.txt"),
        lambda: make(at, "src/a.test.txt"),
        lambda: make(at, "src/empty/b.txt"),
        lambda: make(at, "src/deep/er/b.txt", "config.json"),
        lambda: make(at, "extra/b.log"),
        lambda: make(at, "extra/b.txt"),
        lambda: os.rename(at / "ignored/folder", at / "src/moved"),
        lambda: (at / "src/link").symlink_to("nowhere"),
        lambda: os.mkfifo(at / "src/pipe"),
    ]
    found = []
    for step in steps:
        step()
        fresh = index_of(tmp_path, is_repository=is_repository).inputs(patterns, folder, outputs)
        files = [path for path in fresh if not (tmp_path / path).is_fifo()]
        new = sorted(set(files) - set(known))
        seen: list[str] = []
        while path := added(index, patterns, folder, [*known, *seen]):
            seen.append(path)
        assert seen == new
        found += new
        known = [*known, *new]
    assert len(found) >= 4


def test_files_that_git_forgot_while_they_were_away_are_additions(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    make(tmp_path, "src/a.txt")
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "src/a.txt").unlink()
    index = index_of(tmp_path, is_repository=True)
    make(tmp_path, "src/a.txt")
    assert index.added(None, "", NOTHING, index.inputs(None, "")) == "src/a.txt"


@pytest.mark.parametrize("bytes_in_names", [b"", b"\xff"], ids=["text", "bytes"])
def test_digests_of_inputs_are_those_of_each_input(tmp_path: Path, bytes_in_names: bytes) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    extra = os.fsdecode(bytes_in_names)
    names = [
        "package.json",
        "a-b/x",
        "a/src/1",
        "a/src/é",
        f"a/src/z{extra}",
        "a/package.json",
        "a/dist/out",
        "a/src0/x",
        "b/x",
        "b/z",
    ]
    make(tmp_path, *names)
    (tmp_path / ".gitignore").write_text("*.log\n")
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    make(tmp_path, "b/new", "b/src/debug.log", "b/src/1")
    index = index_of(tmp_path, is_repository=True)
    for folder in ("", "a", "b", "missing"):
        own = f"{folder}/package.json" if folder else "package.json"
        for patterns in (None, ["src/**"], ["dist/**"], ["**"], ["src/**", "!src/1"], ["$TURBO_DEFAULT$"], ["src/*"]):
            for outputs in (
                [],
                ["dist/**"],
                ["src/1"],
                ["**"],
                ["src/gen/**"],
                ["../b/**"],
                [f"o{n}" for n in range(6)],
            ):
                left_out = written(parse(outputs, folder))
                paths = sorted({*index.inputs(patterns, folder, left_out), own})
                found = index.digests_of_inputs(patterns, folder, left_out, also=own)
                assert list(found.items()) == [(path, index.digest(path)) for path in paths], (
                    folder,
                    patterns,
                    outputs,
                )
