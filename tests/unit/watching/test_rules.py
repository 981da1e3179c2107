"""Ignore rules: .gitignore files, editors' files, build output, and settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rt_supervisor.watching.rules import IgnoreRules


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("dist/\n*.log\n# a comment\n!keep.log\n")
    (tmp_path / "p").mkdir()
    (tmp_path / "p/.gitignore").write_text("generated\n!dist/\n")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "is_folder", "ignored"),
    [
        ("dist", True, True),
        ("dist", False, False),  # the pattern matches only folders
        ("a.log", False, True),
        ("keep.log", False, False),
        ("src", True, False),
        ("src/a.ts", False, False),
        ("p/generated", True, True),
        ("p/dist", True, False),  # the nearest file decides
        ("node_modules", True, True),
        (".git", True, True),
        ("a.ts~", False, True),
        (".a.ts.swp", False, True),
        (".#a.ts", False, True),
        ("4913", False, True),
    ],
)
def test_gitignore_and_files_of_editors(root: Path, path: str, is_folder: bool, ignored: bool) -> None:
    assert IgnoreRules(str(root)).is_ignored(str(root / path), is_folder=is_folder) is ignored


def test_the_config_wins_over_gitignore(root: Path) -> None:
    rules = IgnoreRules(str(root), ignore=["*.md", "src/gen/"], include=["dist/"])
    assert rules.is_ignored(str(root / "docs/a.md"))
    assert rules.is_ignored(str(root / "src/gen"), is_folder=True)
    assert not rules.is_ignored(str(root / "dist"), is_folder=True)
    assert rules.is_left_out_of_program(str(root / "a.md"))
    assert not rules.is_left_out_of_program(str(root / "a.log"))


def test_a_rule_file_that_changed_is_read_again(root: Path) -> None:
    rules = IgnoreRules(str(root))
    assert not rules.is_ignored(str(root / "x.tmp1"))
    (root / ".gitignore").write_text("*.tmp1\n")
    assert not rules.is_ignored(str(root / "x.tmp1"))
    rules.forget()
    assert rules.is_ignored(str(root / "x.tmp1"))


def test_output_is_ignored_if_nothing_declares_it(root: Path) -> None:
    assert not IgnoreRules(str(root)).is_ignored(str(root / "build"), is_folder=True)
    (root / ".gitignore").unlink()
    rules = IgnoreRules(str(root), include=["out/"])
    assert rules.is_ignored(str(root / "build"), is_folder=True)
    assert not rules.is_ignored(str(root / "out"), is_folder=True)


def test_rules_above_the_repository_do_not_count(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n")
    inner = tmp_path / "repo"
    (inner / ".git").mkdir(parents=True)
    assert not IgnoreRules(str(inner)).is_ignored(str(inner / "a.ts"))
