"""Suggestions for mistyped names: only names that would work are offered."""

from __future__ import annotations

import pytest
from trees import Write

from rt_supervisor.plan.choosing import choose
from rt_supervisor.plan.recipe import Request
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.workspace.finding import find_workspace
from rt_supervisor.workspace.selection import parse_pattern
from rt_supervisor.workspace.suggestions import closest, is_since_commit, suggest_filter, suggest_script

TREE: dict[str, object] = {
    "package.json": {"name": "root", "workspaces": ["packages/*", "apps/*"]},
    "packages/ui/package.json": {"name": "@acme/ui", "scripts": {"build": "echo"}},
    "packages/core/package.json": {"name": "core", "scripts": {"build": "echo"}},
    "packages/a/package.json": {"name": "@a/same"},
    "packages/b/package.json": {"name": "@b/same"},
    "apps/web/package.json": {"name": "website", "scripts": {"build": "echo"}},
}


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("ui", 'did you mean "@acme/ui"?'),
        ("...ui", 'did you mean "...@acme/ui"?'),
        ("ui^...", 'did you mean "@acme/ui^..."?'),
        ("wepsite", 'did you mean "website"?'),
        ("same", ""),
        ("packages/ui", 'the packages at or below that folder are "{packages/ui}"'),
        ("packages", 'the packages at or below that folder are "{packages}"'),
        ("./packages", 'the packages below that folder are "{packages}"'),
        ("./packages/", 'the packages below that folder are "{packages}"'),
        ("./nowhere", ""),
        ("{nowhere}", ""),
        ("entirely-different", ""),
        ("", ""),
    ],
)
def test_filters(tree: Write, text: str, note: str) -> None:
    workspace = find_workspace(str(tree(TREE)))
    assert suggest_filter(parse_pattern(text), workspace, workspace.root) == note


@pytest.mark.parametrize("text", ["ui", "...ui", "packages/ui", "./packages", "wepsite"])
def test_suggestions_work(tree: Write, text: str) -> None:
    root = str(tree(TREE))
    note = suggest_filter(parse_pattern(text), find_workspace(root), root)
    proposed = note.rpartition(' "')[2].rstrip('?"')
    assert choose(find_workspace(root), wanted(root, proposed)).recipes


def test_the_note_comes_with_the_failure(tree: Write) -> None:
    root = str(tree(TREE))
    with pytest.raises(Failed) as caught:
        choose(find_workspace(root), wanted(root, "ui"))
    assert caught.value.failure.message == 'No workspace packages matched the filter "ui"'
    assert caught.value.hint == 'did you mean "@acme/ui"?'


def wanted(root: str, pattern: str) -> Request:
    return Request(
        cwd=root, mode="filter", scripts=("build",), patterns=(pattern,), every=False, if_present=False,
        ordered=False, explain=False, strict_cycles=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["[origin/main]", "...[HEAD~1]", "[main]...", "...^[main]", "web[main]", "{packages}[v1.0]", "![main]"]
)
def test_packages_changed_since_a_commit(text: str) -> None:
    assert is_since_commit(text)


@pytest.mark.parametrize("text", ["web", "[ab]*", "x[ab]y", "./[a]/*", "{[a]}", "[]", "a]["])
def test_globs_do_not(text: str) -> None:
    assert not is_since_commit(text)


def test_scripts() -> None:
    assert suggest_script(["buidl"], ["test", "build"]) == 'did you mean "build"?'
    assert suggest_script(["buidl", "tset"], ["test", "build"]) == ""
    assert suggest_script(["x"], ["test"]) == ""
    assert closest("x", []) is None
