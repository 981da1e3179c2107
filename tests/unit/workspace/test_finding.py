"""Which folders are packages: which list of globs applies, what the globs match, and which folders are never entered."""

from __future__ import annotations

import os
import time

import pytest
from trees import Write

from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.workspace.finding import Workspace, find_root, find_workspace

NAMES = [
    "packages/a",
    "packages/b",
    "packages/my ünit",
    "packages/.hidden",
    "packages/node_modules/x",
    "libs/deep",
    "libs/deep/deeper",
    "libs/deep/node_modules/y",
    "out/side",
]


def files(workspaces: object, names: list[str] = NAMES, /, **more: object) -> dict[str, object]:
    packages: dict[str, object] = {f"{name}/package.json": {"name": name.rsplit("/", 1)[-1]} for name in names}
    root = {"name": "root"} if workspaces is None else {"name": "root", "workspaces": workspaces}
    return {"package.json": root, **packages, **more}


def folders(found: Workspace) -> list[str]:
    return [os.path.relpath(package.folder, found.root) for package in found.packages]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["packages/*"], ["packages/a", "packages/b", "packages/my ünit"]),
        (["packages/b", "./packages/a", "libs/deep/"], ["packages/b", "packages/a", "libs/deep"]),
        (["libs/*", "packages/a"], ["libs/deep", "packages/a"]),
        (["libs/**"], ["libs/deep", "libs/deep/deeper"]),
        (["libs/deep/**"], ["libs/deep", "libs/deep/deeper"]),
        (["**"], ["libs/deep", "libs/deep/deeper", "out/side", "packages/a", "packages/b", "packages/my ünit"]),
        (["**/d*"], ["libs/deep", "libs/deep/deeper"]),
        (["**/deeper"], ["libs/deep/deeper"]),
        (["{libs,out}/*"], ["libs/deep", "out/side"]),
        (["{libs/deep,out/side}"], ["libs/deep", "out/side"]),
        (["packages/[ab]"], ["packages/a", "packages/b"]),
        (["packages/?"], ["packages/a", "packages/b"]),
        (["packages/[!a]"], ["packages/b"]),
        (["packages/*", "!packages/a"], ["packages/b", "packages/my ünit"]),
        (["!packages/a", "packages/*"], ["packages/b", "packages/my ünit"]),
        (["packages/*", "!packages/a", "packages/a"], ["packages/b", "packages/my ünit", "packages/a"]),
        (["**", "!packages/**", "!**/deeper"], ["libs/deep", "out/side"]),
        (["packages/*", "!**/*"], []),
        (["!packages/a"], []),
        (["packages/.hidden"], ["packages/.hidden"]),
        (["packages/.*"], ["packages/.hidden"]),
        (["packages/node_modules/x", "libs/*/node_modules/*"], []),
        (["."], ["."]),
        (["./", "packages/a"], [".", "packages/a"]),
        (["packages/../out/side"], ["out/side"]),
        (["packages/a", "packages/*", "packages/a"], ["packages/a", "packages/b", "packages/my ünit"]),
        (["nope", "gone/*", "packages/a/package.json", ""], []),
        ({"packages": ["packages/a"]}, ["packages/a"]),
    ],
)
def test_patterns(tree: Write, patterns: object, expected: list[str]) -> None:
    found = find_workspace(str(tree(files(patterns))))
    assert folders(found) == expected
    assert found.declared
    assert not found.problems


def test_a_folder_outside_the_root(tree: Write) -> None:
    root = tree({"w/package.json": {"workspaces": ["../other"]}, "other/package.json": {"name": "other"}})
    assert folders(find_workspace(f"{root}/w")) == ["../other"]


def test_the_nearest_list_applies_even_to_folders_it_does_not_name(tree: Write) -> None:
    root = tree(
        files(
            ["packages/*"],
            **{"packages/a/package.json": {"name": "a", "workspaces": ["in"]}, "packages/a/in/package.json": "{}"},
        )
    )
    assert find_workspace(f"{root}/libs/deep").root == str(root)
    assert find_workspace(f"{root}/packages").root == str(root)
    inner = find_workspace(f"{root}/packages/a/in")
    assert (inner.root, folders(inner)) == (f"{root}/packages/a", ["in"])


def test_without_a_list_every_manifest_below_counts(tree: Write) -> None:
    root = tree(files(None))
    found = find_workspace(str(root))
    assert folders(found) == [
        ".",
        "libs/deep",
        "libs/deep/deeper",
        "out/side",
        "packages/a",
        "packages/b",
        "packages/my ünit",
    ]
    assert not found.declared
    below = find_workspace(f"{root}/libs")
    assert (below.root, folders(below)) == (f"{root}/libs", ["deep", "deep/deeper"])


def test_pnpm_names_packages_where_no_manifest_does(tree: Write) -> None:
    yaml = "packages:\n  - 'packages/*'\n  - '!packages/b'\n"
    root = tree(files(None, **{"pnpm-workspace.yaml": yaml}))
    found = find_workspace(f"{root}/libs/deep")
    assert (found.root, folders(found), found.declared) == (str(root), ["packages/a", "packages/my ünit"], True)
    (root / "package.json").write_text('{"workspaces": ["libs/*"]}')
    assert folders(find_workspace(f"{root}/libs/deep")) == ["libs/deep"]


def test_each_real_folder_once(tree: Write) -> None:
    root = tree(files(["packages/*", "links/**", "self"]))
    (root / "packages/up").symlink_to("..")
    (root / "packages/0-first").symlink_to("a")
    (root / "links").mkdir()
    (root / "links/loop").symlink_to(".")
    (root / "links/side").symlink_to("../out/side")
    (root / "links/again").symlink_to("../out/side")
    (root / "self").symlink_to(root)
    assert folders(find_workspace(str(root))) == ["packages/a", "packages/b", "packages/my ünit", "links/again"]


def test_links_are_not_descended_into_by_any_depth(tree: Write) -> None:
    root = tree(files(None, ["real/inner"]))
    (root / "link").symlink_to("real")
    (root / "real/inner/loop").symlink_to("../..")
    assert folders(find_workspace(str(root))) == [".", "real/inner"]


def test_broken_packages_are_problems_not_failures(tree: Write) -> None:
    root = tree(files(["packages/*"], **{"packages/b/package.json": "{nope", "packages/c/package.json/x": ""}))
    found = find_workspace(str(root))
    assert folders(found) == ["packages/a", "packages/my ünit"]
    assert [str(problem) for problem in found.problems] == [
        f"{root}/packages/b/package.json:1:2: expected a key in double quotes",
        f"{root}/packages/c/package.json: is a folder, not a file",
    ]
    assert len(find_workspace(f"{root}/packages/b").problems) == 2


def test_a_broken_root_is_a_failure_with_its_place(tree: Write) -> None:
    root = tree(files(None, **{"package.json": '{\n "workspaces": ["packages/*" }'}))
    with pytest.raises(Failed) as caught:
        find_workspace(str(root))
    assert caught.value.failure.reason == "broken-manifest"
    assert caught.value.failure.message == f"{root}/package.json:2:30: expected `,` or `]`"
    inside = find_workspace(f"{root}/packages/a")
    assert (folders(inside), len(inside.problems)) == (["."], 1)


def test_unmatchable_patterns_are_reported(tree: Write) -> None:
    root = tree(files(["/abs", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "packages/a"]))
    found = find_workspace(str(root))
    assert folders(found) == ["packages/a"]
    assert [problem.reason for problem in found.problems] == [
        'the workspaces pattern "/abs" is absolute; it must be relative to this folder',
        'the workspaces pattern "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" stands for more than 1000 paths',
    ]


HOSTILE = [
    "**/" * 50 + "x",
    "*a" * 100,
    "**/*/" * 30 + "x",
    "{a,b}" * 30,
    "../" * 5000,
    "[" * 500,
    "a/" * 5000,
    "{" * 500,
]


@pytest.mark.parametrize("pattern", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_patterns_are_answered_at_once(tree: Write, pattern: str) -> None:
    root = tree(files([pattern], ["a" * 60 + "/b/c/d/e", *(f"f{number}/a/a/a/a" for number in range(20))]))
    began = time.process_time()
    find_workspace(str(root))
    assert time.process_time() - began < 1


def test_names_that_are_not_unicode(tree: Write) -> None:
    root = tree(files(["packages/*"]))
    os.makedirs(os.fsencode(root) + b"/packages/\xff")
    with open(os.fsencode(root) + b"/packages/\xff/package.json", "w") as file:
        file.write('{"name": "odd"}')
    assert f"{root}/packages/\udcff" in [package.folder for package in find_workspace(str(root)).packages]


def test_display_name_is_the_folder_without_a_name(tree: Write) -> None:
    found = find_workspace(str(tree(files(["packages/*"], **{"packages/b/package.json": "{}"}))))
    assert [found.display_name(package) for package in found.packages] == ["a", "packages/b", "my ünit"]


def test_the_root_is_found_without_packages(tree: Write) -> None:
    """Outside of a workspace, the nearest package.json decides, so that a folder of many projects is not searched."""
    root = str(tree(files(["packages/*"], **{"packages/a/src/x": "", "packages/broken/package.json": "{"})))
    for folder in ("", "/packages/a", "/packages/a/src", "/packages/broken"):
        assert find_root(root + folder) == root
    alone = str(tree({"alone/package.json": {"workspaces": []}, "alone/app/src/x": ""}))
    assert find_root(f"{alone}/alone/app/src") == f"{alone}/alone"
    assert find_root("/proc/self") == "/proc/self"
