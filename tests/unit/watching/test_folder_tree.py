"""Which folders are below another one."""

from __future__ import annotations

import random

from rt_supervisor.watching.folder_tree import FolderTree


def test_it_agrees_with_a_search_of_all_folders() -> None:
    chosen = random.Random(1)
    names = [
        f"/{chosen.choice('ab')}{chosen.choice(['', '/c', '/d'])}{chosen.choice(['', '/e/f', '/g'])}" for _ in range(40)
    ]
    members: set[str] = set()
    tree = FolderTree(members)
    for _ in range(2000):
        folder = chosen.choice(names)
        if folder in members:
            members.remove(folder)
            tree.remove(folder)
        else:
            members.add(folder)
            tree.add(folder)
        root = chosen.choice(["/a", "/b", "/a/c", "/a/d/e"])
        assert sorted(tree.below(root)) == sorted(each for each in members if each.startswith(f"{root}/"))
    for folder in list(members):
        members.remove(folder)
        tree.remove(folder)
    assert tree.below("/") == []


def test_the_root_is_above_all() -> None:
    members = {"/", "/a/b"}
    tree = FolderTree(members)
    for folder in members:
        tree.add(folder)
    assert tree.below("/") == ["/a/b"]
