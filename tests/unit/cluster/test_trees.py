"""The trees of runs: what a run finds in one that an earlier run has left."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from rt_supervisor.cluster import trees
from rt_supervisor.cluster.contents import ContentStore
from rt_supervisor.cluster.manifests import LINK_MODE, Row
from rt_supervisor.cluster.trees import SpareTree, clean_tree


def files_of(tree: Path) -> dict[str, str]:
    found = {}
    for path in sorted(tree.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(tree))] = f"-> {path.readlink()}"
        elif path.is_file():
            found[str(path.relative_to(tree))] = f"{path.stat().st_mode & 0o777:o} {path.read_text()}"
        else:
            found[str(path.relative_to(tree))] = "folder"
    return found


def make_tree(tree: Path, rows: list[Row], store: ContentStore, known: Mapping[str, int] | None = None) -> None:
    trees.make_tree(str(tree), rows, store, inodes=store.inodes([row.digest for row in rows]), known=known)


@pytest.mark.parametrize("is_listed", [False, True])
def test_a_tree_is_used_again_and_only_differences_are_made(tmp_path: Path, is_listed: bool) -> None:
    store = ContentStore(str(tmp_path / "contents"))
    a, b, c, target = (store.put(text) for text in (b"a", b"b", b"c", b"same"))
    rows = [
        Row("same", 0o100644, a),
        Row("run", 0o100755, a),
        Row("src/replaced", 0o100644, b),
        Row("src/changed", 0o100644, c),
        Row("link", LINK_MODE, target),
        Row("old/file", 0o100644, a),
    ]
    tree = tmp_path / "tree"
    make_tree(tree, rows, store)
    made = files_of(tree)
    assert made["run"] == "755 a" and made["link"] == "-> same" and made["old/file"] == "644 a"
    inodes = {path: (tree / path).stat().st_ino for path in ("same", "run")}

    (tree / "src/other").write_text("b")
    os.replace(tree / "src/other", tree / "src/replaced")
    (tree / "src/changed").write_text("changed in the store")
    (tree / "out/deep").mkdir(parents=True)
    (tree / "out/deep/file").write_text("of a task")
    (tree / "link").unlink()
    (tree / "link").mkdir()
    cleaned = clean_tree(str(tree), rows, store)
    assert cleaned == {path: (tree / path).stat().st_ino for path in ("same", "run", "old/file")}
    assert set(files_of(tree)) == {"same", "run", "src", "old", "old/file"}

    spare = SpareTree(str(tmp_path))
    assert spare.move_to(str(tmp_path / "next")) is None
    spare.keep(str(tree), cleaned)
    known = spare.move_to(str(tmp_path / "next"))
    assert known == cleaned
    assert not store.has(c)
    store.put(b"c")
    make_tree(tmp_path / "next", [*rows[:-1], Row("old", 0o100644, b)], store, known if is_listed else None)
    found = files_of(tmp_path / "next")
    assert found == {path: about for path, about in made.items() if path != "old/file"} | {"old": "644 b"}
    assert {path: (tmp_path / "next" / path).stat().st_ino for path in inodes} == inodes

    (tmp_path / "next/run").chmod(0o777)  # that of the stored file
    make_tree(tmp_path / "next", rows, store)
    assert files_of(tmp_path / "next") == made
    spare.keep(str(tmp_path / "next"), {})
    make_tree(tmp_path / "another", rows[:1], store)
    spare.keep(str(tmp_path / "another"), {})
    assert len(list(tmp_path.glob("spare-*"))) == 1
    spare.move_to(str(tmp_path / "last"))
    assert files_of(tmp_path / "last") == {"same": "644 a"}


def test_a_run_waits_for_the_tree_that_is_being_cleaned_unless_there_is_another(tmp_path: Path) -> None:
    async def test() -> None:
        spare = SpareTree(str(tmp_path))
        await spare.settle()  # nothing is cleaned
        cleaned = asyncio.Event()

        async def clean() -> None:
            await cleaned.wait()
            (tmp_path / "tree").mkdir()
            spare.keep(str(tmp_path / "tree"), {})

        spare.expect(asyncio.create_task(clean()))
        waiting = asyncio.create_task(spare.settle())
        await asyncio.sleep(0)
        assert not waiting.done()
        cleaned.set()
        await waiting
        assert spare.move_to(str(tmp_path / "next")) == {}
        spare.keep(str(tmp_path / "next"), {})
        spare.expect(asyncio.create_task(asyncio.Event().wait()))  # type: ignore[arg-type]
        await spare.settle()

    asyncio.run(test())
